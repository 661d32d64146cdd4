"""The numbers of the system calls that the policy names, from Linux 6.2's headers.

x86-64: asm/unistd_64.h; aarch64: asm-generic/unistd.h, which lacks the oldest calls.
"""

NEWEST = 451  # higher numbers are answered ENOSYS

# fmt: off
X86_64 = {
    "read": 0, "write": 1, "futex": 202, "close": 3, "lseek": 8, "fstat": 5,
    "newfstatat": 262, "mmap": 9, "munmap": 11, "brk": 12, "mprotect": 10, "mremap": 25,
    "madvise": 28, "stat": 4, "lstat": 6, "access": 21, "readlink": 89, "getdents": 78,
    "getdents64": 217, "faccessat": 269, "faccessat2": 439, "statx": 332,
    "readlinkat": 267, "getcwd": 79, "chdir": 80, "fchdir": 81, "umask": 95,
    "readv": 19, "writev": 20, "pread64": 17, "close_range": 436, "rt_sigaction": 13,
    "rt_sigprocmask": 14, "rt_sigreturn": 15, "rt_sigpending": 127, "sigaltstack": 131,
    "restart_syscall": 219, "alarm": 37, "setitimer": 38, "getitimer": 36, "pause": 34,
    "clock_gettime": 228, "clock_getres": 229, "clock_nanosleep": 230, "nanosleep": 35,
    "gettimeofday": 96, "time": 201, "times": 100, "getpid": 39, "getppid": 110,
    "gettid": 186, "getuid": 102, "geteuid": 107, "getgid": 104, "getegid": 108,
    "getresuid": 118, "getresgid": 120, "getgroups": 115, "getpgrp": 111,
    "getpgid": 121, "getsid": 124, "getpriority": 140, "getrlimit": 97,
    "setrlimit": 160, "getrusage": 98, "sysinfo": 99, "uname": 63, "getcpu": 309,
    "sched_yield": 24, "sched_getaffinity": 204, "getrandom": 318,
    "set_robust_list": 273, "rseq": 334, "exit": 60, "exit_group": 231, "poll": 7,
    "ppoll": 271, "select": 23, "pselect6": 270, "epoll_create1": 291, "epoll_ctl": 233,
    "epoll_wait": 232, "epoll_pwait": 281, "pipe": 22, "pipe2": 293, "dup": 32,
    "dup2": 33, "dup3": 292, "recvfrom": 45, "open": 2, "openat": 257, "ioctl": 16,
    "fcntl": 72, "prlimit64": 302, "socketpair": 53, "sendto": 44,
}

AARCH64 = {
    "read": 63, "write": 64, "futex": 98, "close": 57, "lseek": 62, "fstat": 80,
    "newfstatat": 79, "mmap": 222, "munmap": 215, "brk": 214, "mprotect": 226,
    "mremap": 216, "madvise": 233, "getdents64": 61, "faccessat": 48, "faccessat2": 439,
    "statx": 291, "readlinkat": 78, "getcwd": 17, "chdir": 49, "fchdir": 50,
    "umask": 166, "readv": 65, "writev": 66, "pread64": 67, "close_range": 436,
    "rt_sigaction": 134, "rt_sigprocmask": 135, "rt_sigreturn": 139,
    "rt_sigpending": 136, "sigaltstack": 132, "restart_syscall": 128, "setitimer": 103,
    "getitimer": 102, "clock_gettime": 113, "clock_getres": 114, "clock_nanosleep": 115,
    "nanosleep": 101, "gettimeofday": 169, "times": 153, "getpid": 172, "getppid": 173,
    "gettid": 178, "getuid": 174, "geteuid": 175, "getgid": 176, "getegid": 177,
    "getresuid": 148, "getresgid": 150, "getgroups": 158, "getpgid": 155, "getsid": 156,
    "getpriority": 141, "getrlimit": 163, "setrlimit": 164, "getrusage": 165,
    "sysinfo": 179, "uname": 160, "getcpu": 168, "sched_yield": 124,
    "sched_getaffinity": 123, "getrandom": 278, "set_robust_list": 99, "rseq": 293,
    "exit": 93, "exit_group": 94, "ppoll": 73, "pselect6": 72, "epoll_create1": 20,
    "epoll_ctl": 21, "epoll_pwait": 22, "pipe2": 59, "dup": 23, "dup3": 24,
    "recvfrom": 207, "openat": 56, "ioctl": 29, "fcntl": 25, "prlimit64": 261,
    "socketpair": 199, "sendto": 206,
}
