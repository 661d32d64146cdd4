"""The charts of the class page: a histogram and small bars, as inline SVG."""

from __future__ import annotations

WIDTH, HEIGHT, ROOM = 660, 230, 30  # of the histogram; ROOM is kept below for labels
BINS = 11  # ten of ten per cent each, and one of full marks


def binned(percents):
    """Count percents in bins: 0 to below 10, ..., 90 to below 100, and 100."""
    counts = [0] * BINS
    for percent in percents:
        counts[max(0, min(int(percent // 10), BINS - 1))] += 1
    return counts


def labels():
    """Return the label of each bin."""
    return [f"{10 * i}–{10 * i + 9}" for i in range(BINS - 1)] + ["100"]


def histogram(percents):
    """Return the histogram of scores in per cent, with its counts for a screen reader."""
    counts = binned(percents)
    tallest = max(counts)
    step = WIDTH / BINS
    parts = []
    for index, count in enumerate(counts):
        height = (HEIGHT - ROOM - 30) * count / tallest
        left, top = index * step + 4, HEIGHT - ROOM - height
        middle = left + (step - 8) / 2
        kind = "bar full" if index == BINS - 1 else "bar"
        parts.append(
            f'<rect class="{kind}" x="{left:.1f}" y="{top:.1f}" width="{step - 8:.1f}"'
            f' height="{height:.1f}" rx="3"/>'
            f'<text class="count" x="{middle:.1f}" y="{top - 6:.1f}">{count or ""}</text>'
            f'<text class="bin" x="{middle:.1f}" y="{HEIGHT - 8}">{10 * index}</text>'
        )
    told = ", ".join(f"{label} per cent: {n}" for label, n in zip(labels(), counts) if n)
    return (
        "<p>Students by score: from 0 per cent, from 10, and so on; 100 stands alone.</p>"
        '<div class="figure"><svg class="histogram" role="img" aria-labelledby="ht hd"'
        f' viewBox="0 0 {WIDTH} {HEIGHT}">'
        f'<title id="ht">Students by score in per cent</title><desc id="hd">{told}</desc>'
        f'<path class="axis" d="M0 {HEIGHT - ROOM}H{WIDTH}"/>'
        + "".join(parts)
        + "</svg></div>"
    )


def bar(share):
    """Return a small bar for a share between 0 and 1; the number stands beside it."""
    width = 100 * min(max(share, 0.0), 1.0)
    return (
        '<svg class="share" aria-hidden="true" width="100" height="10">'
        '<rect class="whole" width="100" height="10" rx="3"/>'
        f'<rect class="part" width="{width:.1f}" height="10" rx="3"/></svg>'
    )
