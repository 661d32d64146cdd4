"""Layers that confine a worker: each optional, detected by trying it, and reported.

The zygote makes one `Plan` and applies it in every fork; `sweep` ends what a worker
left. The standard library only, as the zygote holds nothing else. Read layer.py
first, then plan.py; every other module is one layer, or one family of them.
"""
