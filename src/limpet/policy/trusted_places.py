"""A table: what decides who may do what, and what the whole system trusts."""

from __future__ import annotations

from limpet.policy.place_tables import Places

ACCOUNTS = Places("""
etc/passwd*
etc/shadow*
etc/group*
etc/gshadow*
etc/subuid*
etc/subgid*
etc/master.passwd
etc/sudoers*
etc/doas.conf
etc/fstab
etc/crypttab
etc/mdadm*
etc/ssh/sshd_config*
etc/ssh/ssh_host_*
etc/pam.d
etc/pam.conf
etc/security
etc/login.defs
etc/securetty
etc/nsswitch.conf
etc/ld.so.preload
etc/ld.so.conf*
etc/inittab
etc/default/grub*
etc/grub*
etc/polkit-1
etc/selinux
etc/apparmor.d
boot
efi
EFI
proc/sysrq-trigger
proc/sys/kernel
proc/sys/fs/binfmt_misc
proc/*/mem
sys/power
sys/firmware
sys/kernel
sys/block
sys/class/block
sys/fs/cgroup/release_agent
""")
