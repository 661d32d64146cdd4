"""Instructors' tools: generate trees, prove the kit, package it."""
