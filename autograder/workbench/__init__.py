"""The instructor's tools, which generate trees, prove the kit and package it."""
