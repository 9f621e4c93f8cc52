"""Tools that change disks and file systems as a whole -> whether they only show them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, read, risk, write
from limpet.policy.options import parse_options
from limpet.policy.tools.own_code import wary_of
from limpet.policy.tools.showing import Shows, always, explains, shows
from limpet.policy.tools.spec import Spec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.options import Parsed
    from limpet.policy.tools.spec import Rule
    from limpet.syntax.values.field import Field


def _on_disk(values: str = "", *, reads: str = "", bare_reads: bool = False, writes: str = "") -> Rule:
    """A tool that rewrites the device it is given, or an image file, unless one of the options `reads` is there.

    With `bare_reads` it only does so when one of the options `writes` is there.
    """

    def rule(command: Command) -> Iterator[Effect]:
        parsed = parse_options(command.arguments, values=values, long_values=_LONG)
        if explains(command):
            return
        only_reads = parsed.has(*reads.split()) or (bare_reads and not parsed.has(*writes.split()))
        if only_reads:
            yield from (read(field) for field in parsed.operands)
        else:
            yield from _rewrites(command, parsed)

    return rule


_LONG = (
    "--type",
    "--label",
    "--uuid",
    "--size",
    "--offset",
    "--length",
    "--cipher",
    "--key-file",
    "--types",
    "--backup",
    "--level",
)


def _rewrites(command: Command, parsed: Parsed) -> Iterator[Effect]:
    name = command.name or ""
    devices = [field for field in command.arguments if is_device(field)]
    detail = f"rewrites a disk or a file system ({name})"
    yield risk("floor.device" if devices else f"{name}.disk", Risk.DESTROYS, detail, deny=bool(devices))
    yield from (write(field) for field in parsed.operands if "/" in field.prefix or "." in field.prefix)


_NO_DISK = ("/dev/null", "/dev/std", "/dev/zero", "/dev/shm/", "/dev/fd/")  # noqa: S108 - names to recognise


def is_device(field: Field) -> bool:
    """Whether it is a device by its path. Which kind decides the place."""
    text = field.prefix
    return text.startswith("/dev/") and not text.startswith(_NO_DISK)


def _parted(command: Command) -> Iterator[Effect]:
    parsed = parse_options(command.arguments, values="a", long_values=("--align",))
    words = {field.text for field in parsed.operands[1:]}
    if explains(command) or parsed.has("-l", "--list") or (words & {"print", "p"} and not words - _PARTED_SHOWS):
        return
    yield from _rewrites(command, parsed)


_PARTED_SHOWS = {"print", "p", "unit", "s", "B", "MiB", "GiB", "MB", "GB", "%", "free", "all", "devices"}


def _verbs(name: str, reading: str, destroying: str = "", *, bare: bool = True) -> Rule:
    """A tool with verbs, of which some only show and some are never allowed."""
    detail = f"changes disks or file systems ({name})"
    return shows(
        Shows(
            rule=f"{name}.disk",
            risk=Risk.DESTROYS,
            detail=detail,
            verbs=reading,
            denied=destroying,
            bare=bare,
            values="o",
        )
    )


def _mount(command: Command) -> Iterator[Effect]:
    parsed = parse_options(
        command.arguments, values="tojOLUN", long_values=("--types", "--options", "--bind", "--target")
    )
    if (
        explains(command)
        or parsed.has("-V")
        or not (parsed.operands or parsed.has("-a", "--all", "-L", "-U", "--bind"))
    ):
        return
    yield risk(f"{command.name}.mount", Risk.PRIVILEGE, "changes which file systems are there")


_FORMATS = "ext2 ext3 ext4 xfs btrfs fat vfat msdos ntfs exfat f2fs minix cramfs bfs jfs reiserfs udf nilfs2 erofs apfs"
_CHECKS = ("fsck", "e2fsck", "dosfsck", "ntfsfix", "xfs_repair", "reiserfsck", "jfs_fsck")

TOOLS: dict[str, Spec | Rule] = {
    **dict.fromkeys(
        (
            "mkfs",
            "mke2fs",
            "mkdosfs",
            "mkntfs",
            "mkexfatfs",
            "newfs",
            "mkswap",
            *(f"mkfs.{kind}" for kind in _FORMATS.split()),
        ),
        _on_disk("tbCdEFgGiIJlLmMnNoOrTUuvwsS", reads="-n -V --dry-run"),
    ),
    **dict.fromkeys((*_CHECKS, *(f"fsck.{kind}" for kind in _FORMATS.split())), _on_disk("tbBjlLEo", reads="-N -n -V")),
    "wipefs": _on_disk("ot", bare_reads=True, writes="-a -o --all --offset -f --force"),
    "fdisk": _on_disk("bCHStTuo", reads="-l -x -s -V --list --list-details --getsz"),
    "sfdisk": _on_disk(
        "NoOuwWXY",
        reads="-l -d -J -g -s -V -F -T --list --dump --json --show-size --show-geometry --verify --list-free",
    ),
    "cfdisk": _on_disk("L"),
    "gdisk": _on_disk("", reads="-l"),
    "cgdisk": _on_disk(""),
    "sgdisk": _on_disk("AabcdehijlmnrRtuU", reads="-p -i -O -V -f -E -F --print --info --verify"),
    "parted": _parted,
    "blkdiscard": _on_disk("olp"),
    "nwipe": _on_disk(""),
    "scrub": _on_disk("pbsf"),
    "hdparm": _on_disk(
        "",
        bare_reads=True,
        writes="--security-erase --security-erase-enhanced --write-sector --make-bad-sector "
        "--trim-sector-ranges -W -S -B -y -Y --fwdownload --security-set-pass --security-disable -N -p",
    ),
    "badblocks": _on_disk("bcdeiopt", bare_reads=True, writes="-w -n"),
    "tune2fs": _on_disk("cCeEgiIJLmMoOQrTuU", reads="-l"),
    "resize2fs": _on_disk("dS"),
    "e2label": _on_disk(""),
    "xfs_growfs": _on_disk("DeLmR", reads="-n"),
    "xfs_admin": _on_disk("LUcOr", reads="-l -u"),
    "fatlabel": _on_disk(""),
    "dumpe2fs": Spec(),
    "xfs_info": Spec(),
    "debugfs": _on_disk("fRcbsd", bare_reads=True, writes="-w -f"),
    "ddrescue": _on_disk("bcimoprs"),
    "partprobe": _on_disk("", reads="-d -s"),
    "growpart": _on_disk(""),
    "kpartx": _on_disk("", reads="-l"),
    "sg_format": _on_disk(""),
    "cryptsetup": _verbs(
        "cryptsetup", "status luksDump isLuks luksUUID benchmark", "luksFormat erase luksErase reencrypt luksKillSlot"
    ),
    "mdadm": _on_disk("lncm", reads="-D -E -Q --detail --examine --query --examine-bitmap"),
    **dict.fromkeys(
        ["lvs", "pvs", "vgs", "lvdisplay", "pvdisplay", "vgdisplay", "lvscan", "pvscan", "vgscan", "lvmdiskscan"],
        Spec(operands="text*"),
    ),
    **{
        name: always(f"{name}.disk", Risk.DESTROYS, f"removes or rewrites a volume ({name})", deny=True)
        for name in ("lvremove", "vgremove", "pvremove", "lvreduce", "vgreduce")
    },
    **{
        name: _on_disk("Lnlscipm")
        for name in (
            "pvcreate",
            "vgcreate",
            "lvcreate",
            "lvextend",
            "lvresize",
            "vgextend",
            "pvresize",
            "lvchange",
            "vgchange",
            "pvchange",
            "lvconvert",
            "pvmove",
            "lvrename",
        )
    },
    "lvm": always("lvm.disk", Risk.DESTROYS, "changes volumes (lvm)"),
    "dmsetup": wary_of(
        _verbs("dmsetup", "ls info status table version targets deps", "remove_all wipe_table"),
        "--exec",
        "runs a program",
    ),
    "zpool": _verbs("zpool", "list status get iostat history", "destroy labelclear"),
    "zfs": _verbs("zfs", "list get diff version", "destroy"),
    "btrfs": _verbs(
        "btrfs",
        "version filesystem/show filesystem/df filesystem/usage subvolume/list subvolume/show fi/show fi/df",
    ),
    "nvme": _verbs(
        "nvme",
        "list list-subsys smart-log id-ctrl id-ns error-log fw-log version",
        "format sanitize write write-zeroes delete-ns",
    ),
    "smartctl": shows(
        Shows(
            rule="smartctl.change",
            risk=Risk.PRIVILEGE,
            detail="changes how a disk works",
            operands=True,
            changing="-t -X -s -o -S --test --abort --smart --set",
            values="tdnTsoSlvPrFq",
        )
    ),
    "diskutil": _verbs(
        "diskutil",
        "list info activity apfs/list listFilesystems",
        "eraseDisk eraseVolume reformat secureErase zeroDisk randomDisk partitionDisk partition",
    ),
    "hdiutil": _verbs("hdiutil", "info imageinfo verify", "", bare=False),
    "mount": _mount,
    "umount": _mount,
    "fusermount": _mount,
    "fusermount3": _mount,
    "udisksctl": _verbs("udisksctl", "status info dump"),
    "swapon": shows(
        Shows(
            rule="swapon.change",
            risk=Risk.PRIVILEGE,
            detail="changes where memory is swapped to",
            options="-s --show --summary",
            changing="-a --all",
        )
    ),
    "swapoff": always("swapoff.change", Risk.PRIVILEGE, "changes where memory is swapped to"),
    "losetup": shows(
        Shows(
            rule="losetup.change",
            risk=Risk.PRIVILEGE,
            detail="makes a file a disk",
            options="-a -l -j --all --list --associated",
            changing="-d -D -f --detach --find",
        )
    ),
    "eject": always("eject.disk", Risk.PRIVILEGE, "ejects a disk"),
    "fstrim": always("fstrim.disk", Risk.PRIVILEGE, "tells a disk what is free"),
    "fsfreeze": always("fsfreeze.disk", Risk.DESTROYS, "stops every write to a file system"),
    "quotaon": always("quotaon.disk", Risk.PRIVILEGE, "changes quotas"),
    "setquota": always("setquota.disk", Risk.PRIVILEGE, "changes quotas"),
}
