# Runs a program of an unpacked image as an engine would with --read-only, --cap-drop=all and --tmpfs=/tmp, as the first of its processes.
# Arguments: the files of the image, the folder of its volume, its user, its working folder, then `NAME=VALUE …` and the program.
set -eu
root=$1 volume=$2 user=$3 folder=$4
shift 4

mount --make-rprivate /
mount --bind "$root" "$root"
mount --bind "$volume" "$root/data"
mount -t proc none "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs none "$root/tmp"
mount -o remount,bind,ro "$root"
exec chroot "$root" setpriv --reuid "$user" --regid "$user" --init-groups --no-new-privs --bounding-set=-all --inh-caps=-all \
  env -i --chdir="$folder" "$@"
