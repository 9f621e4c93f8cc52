"""What tools that act on the system as a whole change."""

from __future__ import annotations

from limpet.policy.tools.system import TOOLS
from policy.effects_of_text import summarise

NOTHING = """
reboot --help
systemctl status nginx
systemctl --user status x
systemctl list-units --type=service
systemctl
service nginx status
launchctl list
loginctl list-sessions
kill %1
kill -TERM %2
kill -0 1234
kill -l
fuser 3000/tcp
ps aux
pgrep -f x
top -b -n1
fdisk -l
parted -l
parted /dev/sda print
cryptsetup status x
lvs
zfs list
diskutil list
mount
losetup -a
swapon --show
lsblk
modprobe -n x
sysctl -a
sysctl kernel.ostype
dmesg
dmesg -T -l err
passwd -S
visudo -c
crontab -l
at -l
atq
journalctl -u x -n 50 --no-pager
journalctl -f
timedatectl
hostname
update-alternatives --list java
ldconfig -p
logger x
getcap x
auditctl -l
gsettings get a b
defaults read x
busctl list
getent passwd
efibootmgr
nproc
free -h
uptime
whoami
id
uname -a
tput setaf 1
clear
logger y
hostname -f
"""

DOES = [
    ("shutdown -h now", ["deny shutdown.power"]),
    ("shutdown -c", ["risk shutdown.cancel"]),
    ("/sbin/reboot", ["deny reboot.power"]),
    ("init 0", ["deny init.power"]),
    ("telinit 6", ["deny init.power"]),
    ("init q", ["risk init.level"]),
    ("systemctl poweroff", ["deny systemctl.power"]),
    ("systemctl start reboot.target", ["deny systemctl.power"]),
    ("systemctl isolate rescue.target", ["deny systemctl.power"]),
    ("systemctl restart nginx", ["risk systemctl.service"]),
    ("systemctl enable x", ["risk systemctl.settings"]),
    ("systemctl --user enable --now x", ["risk systemctl.settings"]),
    ("systemctl -H h status", ["risk systemctl.network"]),
    ("systemctl $x", ["risk systemctl.service"]),
    ("service nginx restart", ["risk service.service"]),
    ("launchctl load x", ["risk launchctl.service"]),
    ("kexec -e", ["deny kexec.power"]),
    ("kill 1234", ["risk kill.process"]),
    ("kill -9 1234", ["risk kill.process"]),
    ("kill $pid", ["risk kill.unknown"]),
    ("kill -9 -1", ["deny kill.everything"]),
    ("kill -1", ["deny kill.everything"]),
    ("kill -KILL -- -1", ["deny kill.everything"]),
    ("kill -s KILL -1", ["deny kill.everything"]),
    ("kill -n 9 -1", ["deny kill.everything"]),
    ("kill -s9 -1", ["deny kill.everything"]),
    ("kill 1", ["deny kill.everything"]),
    ("kill -9 1", ["deny kill.everything"]),
    ("kill -HUP 99", ["risk kill.process"]),
    ("kill -9 -0001", ["deny kill.everything"]),
    ("kill -- -4321", ["risk kill.process"]),
    ("kill 4294967295", ["deny kill.everything"]),
    ("pkill node", ["risk pkill.name"]),
    ("pkill -f 'vite'", ["risk pkill.name"]),
    ("pkill -9 -u dev", ["deny pkill.everything"]),
    ("pkill -KILL -u dev", ["deny pkill.everything"]),
    ("pkill .", ["deny pkill.everything"]),
    ("pkill -f '.*'", ["deny pkill.everything"]),
    ("pkill -v x", ["deny pkill.everything"]),
    ("pkill -USR1 app", ["risk pkill.name"]),
    ("killall node", ["risk killall.name"]),
    ("killall -u dev", ["deny killall.everything"]),
    ("killall -r '.*'", ["deny killall.everything"]),
    ("killall5", ["deny killall5.everything"]),
    ("fuser -k 3000/tcp", ["risk fuser.kill"]),
    ("fuser -km /", ["deny fuser.everything"]),
    ("renice 5 12", ["risk renice.change"]),
    ("mkfs.ext4 /dev/sda1", ["deny floor.device", "write /dev/sda1"]),
    ("mkfs -t ext4 disk.img", ["risk mkfs.disk", "write disk.img"]),
    ("mkfs.ext4 -F $x", ["risk mkfs.ext4.disk"]),
    ("wipefs /dev/sda", ["read /dev/sda"]),
    ("wipefs -a /dev/sda", ["deny floor.device", "write /dev/sda"]),
    ("fdisk /dev/sda", ["deny floor.device", "write /dev/sda"]),
    ("sfdisk -d /dev/sda", ["read /dev/sda"]),
    ("parted /dev/sda mklabel gpt", ["deny floor.device", "write /dev/sda"]),
    ("blkdiscard /dev/nvme0n1", ["deny floor.device", "write /dev/nvme0n1"]),
    ("hdparm -I /dev/sda", ["read /dev/sda"]),
    ("hdparm --security-erase x /dev/sda", ["deny floor.device", "write /dev/sda"]),
    ("mkswap /dev/sdb", ["deny floor.device", "write /dev/sdb"]),
    ("cryptsetup luksFormat /dev/sda", ["deny cryptsetup.disk"]),
    ("lvremove vg/lv", ["deny lvremove.disk"]),
    ("mdadm --detail /dev/md0", ["read /dev/md0"]),
    ("mdadm --zero-superblock /dev/sda", ["deny floor.device", "write /dev/sda"]),
    ("badblocks /dev/sda", ["read /dev/sda"]),
    ("badblocks -wsv /dev/sda", ["deny floor.device", "write /dev/sda"]),
    ("fsck /dev/sda1", ["deny floor.device", "write /dev/sda1"]),
    ("fsck -N /dev/sda1", ["read /dev/sda1"]),
    ("tune2fs -l /dev/sda1", ["read /dev/sda1"]),
    ("zpool destroy x", ["deny zpool.disk"]),
    ("diskutil eraseDisk JHFS+ x disk2", ["deny diskutil.disk"]),
    ("mount -t ext4 /dev/sdb1 /mnt", ["risk mount.mount"]),
    ("umount /mnt", ["risk umount.mount"]),
    ("losetup -f x.img", ["risk losetup.change"]),
    ("swapoff -a", ["risk swapoff.change"]),
    ("insmod x.ko", ["risk insmod.module"]),
    ("modprobe x", ["risk modprobe.module"]),
    ("rmmod x", ["risk rmmod.module"]),
    ("sysctl -w kernel.x=1", ["risk sysctl.change"]),
    ("sysctl kernel.x=1", ["risk sysctl.change"]),
    ("sysctl -p", ["risk sysctl.change"]),
    ("dmesg -C", ["risk dmesg.change"]),
    ("useradd bob", ["risk useradd.account"]),
    ("usermod -aG sudo bob", ["deny floor.account"]),
    ("usermod -aG docker dev", ["risk usermod.account"]),
    ("usermod -s /bin/zsh dev", ["risk usermod.account"]),
    ("userdel root", ["deny floor.account"]),
    ("userdel bob", ["risk userdel.account"]),
    ("passwd", ["risk passwd.account"]),
    ("passwd root", ["deny floor.account"]),
    ("passwd -d root", ["deny floor.account"]),
    ("chpasswd", ["deny floor.account"]),
    ("visudo", ["deny floor.account"]),
    ("chsh -s /bin/zsh", ["risk chsh.account"]),
    ("gpasswd -a dev sudo", ["deny floor.account"]),
    ("adduser bob sudo", ["deny floor.account"]),
    ("crontab x.cron", ["read x.cron", "risk crontab.change"]),
    ("crontab -e", ["risk crontab.change"]),
    ("crontab -", ["risk crontab.change"]),
    ("crontab -r", ["risk crontab.remove"]),
    ("at now + 1 hour", ["risk at.later", "stdin sh"]),
    ("at -f x now", ["risk at.later", "read x"]),
    ("batch", ["risk batch.later", "stdin sh"]),
    ("journalctl --vacuum-time=1d", ["risk journalctl.vacuum"]),
    ("journalctl --rotate", ["risk journalctl.change"]),
    ("timedatectl set-time 12:00", ["risk timedatectl.change"]),
    ("hostnamectl set-hostname x", ["risk hostnamectl.change"]),
    ("hostname x", ["risk hostname.change"]),
    ("update-alternatives --set java x", ["risk update-alternatives.change"]),
    ("ldconfig", ["risk ldconfig.change"]),
    ("wall x", ["risk wall.message"]),
    ("setcap cap_net_raw+ep x", ["risk setcap.rights"]),
    ("setenforce 0", ["risk setenforce.protection"]),
    ("auditctl -D", ["risk auditctl.protection"]),
    ("xhost +", ["risk xhost.change"]),
    ("gsettings set a b c", ["risk gsettings.settings"]),
    ("dconf write /a b", ["risk dconf.settings"]),
    ("defaults write x y z", ["risk defaults.settings"]),
    ("dbus-send --session x", ["risk dbus-send.call"]),
    ("getent hosts x.example", ["risk getent.network"]),
    ("getent shadow", ["risk getent.secrets"]),
    ("security find-generic-password -w x", ["risk security.secrets"]),
    ("secret-tool lookup a b", ["risk secret-tool.secrets"]),
    ("pass show x", ["risk pass.secrets"]),
    ("grub-install /dev/sda", ["deny grub-install.boot"]),
    ("efibootmgr -B -b 0", ["deny efibootmgr.boot"]),
    ("update-initramfs -u", ["risk update-initramfs.boot"]),
    ("logrotate -f x", ["read x", "risk logrotate.run"]),
    ("run-parts /etc/cron.daily", ["risk run-parts.run"]),
    ("mkfs.ext4 -F /dev/sda", ["deny floor.device"]),
    ("journalctl -b --vacuum-time=1d", ["risk journalctl.vacuum"]),
    ("userdel -f root", ["deny floor.account"]),
    ("restorecon -r /etc", ["change /etc"]),
    ("logger -n x.example y", ["risk logger.network"]),
    ("systemctl isolate multi-user.target", ["risk systemctl.service"]),
]


def test_what_only_shows_does_nothing() -> None:
    texts = NOTHING.split("\n")[1:-1]
    assert {text: summarise(text, TOOLS) for text in texts} == {text: [] for text in texts}


def test_it_does_what_its_arguments_say() -> None:
    assert [(text, summarise(text, TOOLS)) for text, _ in DOES] == DOES


def test_a_number_that_no_process_can_have_may_be_as_long_as_it_likes() -> None:
    assert summarise("kill " + "9" * 5000, TOOLS) == ["deny kill.everything"]
