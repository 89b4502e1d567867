# Boots systemd in namespaces of its own, on a copy of this machine's files whose changes are thrown away.
# Arguments: an empty folder, the repository, its Node.
set -eu
folder=$1 repository=$2 node=$3

mount --make-rprivate /
mount -t tmpfs -o mode=755 none "$folder"
mkdir "$folder/cgroup" "$folder/changes" "$folder/work" "$folder/root" "$folder/program" "$folder/program-work"
mount -t overlay -o "lowerdir=/,upperdir=$folder/changes,workdir=$folder/work" none "$folder/root"

cd "$folder/root"
mkdir -p srv/teahouse
mount -t overlay -o "lowerdir=$repository,upperdir=$folder/program,workdir=$folder/program-work" none srv/teahouse
touch usr/bin/node
mount --bind "$node" usr/bin/node
mount -t proc none proc
mount -t sysfs -o ro none sys
mount -t cgroup2 none sys/fs/cgroup
mount --rbind /dev dev
mount -t tmpfs -o mode=755 none run
mount -t tmpfs -o mode=1777 none tmp
# Only what the test starts.
rm -rf etc/systemd/system/*.wants etc/systemd/system/*.requires etc/teahouse var/lib/teahouse
: > etc/fstab
ln -sf /dev/null etc/systemd/system/systemd-udevd.service

mkdir -p mnt/former
pivot_root . mnt/former
umount -l mnt/former
exec env -i container=test PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --unit=basic.target --log-target=journal
