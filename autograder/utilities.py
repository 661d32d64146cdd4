"""Files that are never half written, work on every core, and how far it is."""

from __future__ import annotations

import contextlib
import math
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path


def replace_file(path: str | Path, content: str | bytes, mode: int = 0o666) -> None:
    """Write text or bytes under a temporary name, then rename it into place.

    Missing folders are made. Text is written as UTF-8 with plain line ends, and what has
    no form in it (half of a name that is not UTF-8) as \\udc and so on. `mode` are the
    file's permissions, before the umask. Raises OSError, and then leaves what was there.
    """
    path = Path(path)
    if isinstance(content, str):
        content = content.encode("utf-8", "backslashreplace")
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with open(temporary, "wb", opener=partial(os.open, mode=mode)) as file:
            file.write(content)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def private() -> Iterator[None]:
    """Make what is written within the context its owner's alone."""
    mask = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(mask)


def replace_folder(folder: Path, files: dict[str, bytes]) -> None:
    """Replace a folder by one that holds these files: name -> bytes.

    Killed at any moment, this leaves the old folder or the new one. Between two renames
    neither is in its place: there finish_replacing() puts the new one.
    """
    new, old = _beside(folder)
    finish_replacing(folder)
    for leftover in (new, old):
        shutil.rmtree(leftover, ignore_errors=True)
    new.mkdir(parents=True)
    for name, data in files.items():
        (new / name).write_bytes(data)
    if folder.exists():
        os.replace(folder, old)
        finish_replacing(folder)
    else:
        os.replace(new, folder)


def finish_replacing(folder: Path) -> None:
    """Finish a replace_folder() that was killed between its renames, if one was."""
    new, old = _beside(folder)
    if new.is_dir() and old.is_dir() and not folder.exists():
        with contextlib.suppress(FileNotFoundError):  # another process was quicker
            os.replace(new, folder)
        shutil.rmtree(old, ignore_errors=True)


def _beside(folder):
    return [folder.with_name(f".{folder.name}.{state}") for state in ("new", "old")]


def cores() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def pin_to_one_cpu(index: int | None = None) -> Callable[[], None]:
    """Keep this process and its children on one CPU; return what undoes it.

    Grader and worker take turns, so a second CPU only adds the time that waking
    it takes. `index` picks among the CPUs that this process may use.
    """
    if not hasattr(os, "sched_setaffinity"):
        return lambda: None
    before = os.sched_getaffinity(0)
    cpus = sorted(before)
    os.sched_setaffinity(0, {cpus[(os.getpid() if index is None else index) % len(cpus)]})
    return lambda: os.sched_setaffinity(0, before)


FEW = 8  # items that are not worth a process
CHUNK = 4  # items that are handed out at a time


def in_parallel(
    work: Callable,
    items: Iterable,
    step: Callable[[], None] | None = None,
) -> list:
    """Return [work(item) for item in items].

    `step()` is called as each result comes. Forking hands over the items, and what
    `work` refers to, without packing them.
    """
    import gc
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    items, workers = list(items), cores()
    if workers == 1 or len(items) < FEW:
        return [work(item) for item in items]
    _INHERITED.append((work, items))
    gc.freeze()  # else each process goes through all that it inherits when it collects
    try:
        with ProcessPoolExecutor(workers, get_context("fork")) as pool:
            results = []
            for result in pool.map(_call, range(len(items)), chunksize=CHUNK):
                results.append(result)
                if step:
                    step()
            return results
    finally:
        gc.unfreeze()
        _INHERITED.pop()


_INHERITED = []


def _call(index):
    work, items = _INHERITED[-1]
    return work(items[index])


SECONDS_BETWEEN_LINES = 5.0
SECONDS_BETWEEN_DRAWINGS = 0.1


class Progress:
    """Counts what is done, in the words "12 graded". Use it as a context manager.

    The bar is drawn over itself; a plain line is printed for the first submission,
    every five seconds, and for the last.
    """

    def __init__(self, total, stream=None, clock=time.monotonic, done="graded"):
        self.total = total
        self.word = done
        self.done = 0
        self._stream = sys.stderr if stream is None else stream
        self._terminal = self._stream.isatty()
        self._clock = clock
        self._begun = clock()
        self._shown_at = -math.inf

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._terminal and self.done:
            self._show()
            print(file=self._stream, flush=True)

    def step(self) -> None:
        """Count one more; show it when it is time to."""
        self.done += 1
        pause = SECONDS_BETWEEN_DRAWINGS if self._terminal else SECONDS_BETWEEN_LINES
        if self.done == self.total or self._clock() - self._shown_at >= pause:
            self._shown_at = self._clock()
            self._show()

    def text(self) -> str:
        """Return the state in words: how many, how fast, how long still."""
        rate = self.done / max(self._clock() - self._begun, 1e-9)
        text = f"{self.done}/{self.total} {self.word}, {rate:.1f} a second"
        if 0 < self.done < self.total:
            text += f", {duration((self.total - self.done) / rate)} left"
        return text

    def _show(self):
        text, begin, end = self.text(), "", "\n"
        if self._terminal:
            width = min(shutil.get_terminal_size().columns - len(text) - 4, 40)
            full = "#" * round(width * self.done / self.total)
            begin, end = f"\r[{full:.<{width}}] " if width > 4 else "\r", "\x1b[K"
        print(f"{begin}{text}", end=end, file=self._stream, flush=True)


UNITS = ((86400, "day"), (3600, "h"), (60, "min"), (1, "s"))


def counted(number: int, word: str) -> str:
    """Return "1 student", "2 students"."""
    return f"{number} {word}{'s' * (number != 1)}"


def duration(seconds: float) -> str:
    """Return seconds as people say them: 8 s, 3 min 20 s, 1 h 5 min, 2 days 4 h."""
    left, parts = round(seconds), []
    for size, unit in UNITS:
        count, left = divmod(left, size)
        if count:
            parts.append(f"{count} {unit}{'s' * (unit == 'day' and count > 1)}")
    return " ".join(parts[:2]) or "0 s"
