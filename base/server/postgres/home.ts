import { createHash } from 'node:crypto'
import {
  chownSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CannotStart } from '#base/server/cannot-start.ts'
import {
  accountOf,
  namespacedAccount,
  hasUserName,
  canEnter,
  canRun,
  nobodyUser,
  ownAccount,
  type Account,
} from '#base/server/postgres/account.ts'
import { publicCopy, shippedPostgres } from '#base/server/postgres/binaries.ts'
import { readPidFile, socketName } from '#base/server/postgres/pid-file.ts'

/** The folder and the account of the embedded PostgreSQL. */
export type Home = { folder: string; account: Account; native: string }

const sharedFolder = '/var/lib/teahouse'

/** Finds the home of the data, or chooses one. The folder's owner runs the database, so a home never changes its owner by itself. */
export function findHome(dataDir: string): Home {
  const folder = folderOf(dataDir)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const native = shippedPostgres()
  const { uid, gid } = statSync(folder)
  const me = process.geteuid?.()
  if (me === 0) return uid === 0 ? homeOfRoot(dataDir, folder, native) : homeOfUser({ uid, gid }, folder, native)
  if (uid !== me)
    throw new CannotStart(`${folder} belongs to another user (${uid}). Start as that user, or set TEAHOUSE_DATA to another folder.`)
  if (hasUserName()) return { folder, account: ownAccount, native }
  if (canRun(namespacedAccount(), folder, join(native, 'bin/postgres'))) return { folder, account: namespacedAccount(), native }
  throw new CannotStart(
    `PostgreSQL does not run as user ${uid}, who has no name on this machine. Start as one who has, or set DATABASE_URL.`,
  )
}

/** The folder of this data's database, which may be outside `dataDir`. */
export function folderOf(dataDir: string): string {
  const location = locationFile(dataDir)
  return existsSync(location) ? readFileSync(location, 'utf8').trim() : join(realpathSync(dataDir), 'postgres')
}

export function clusterOf(folder: string): string {
  return join(folder, 'cluster')
}

export function passwordFileOf(folder: string): string {
  return join(folder, 'password')
}

/** A folder for the socket that only we can enter, with a path short enough for a socket. */
export function socketFolder({ folder, account }: Home): string {
  // The shortest limit of the known systems, macOS's.
  if (Buffer.byteLength(join(folder, socketName)) <= 103) return folder
  const { uid } = statSync(folder)
  const before = readPidFile(clusterOf(folder))?.socketFolder
  if (before && isPrivate(before, uid)) return before
  const short = mkdtempSync(join(tmpdir(), 'teahouse-'))
  if (account.user) chownSync(short, account.user.uid, account.user.gid)
  return short
}

function isPrivate(folder: string, owner: number): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  return found?.isDirectory() === true && found.uid === owner && (found.mode & 0o077) === 0
}

function homeOfUser(user: { uid: number; gid: number }, folder: string, native: string): Home {
  const account = accountOf(user)
  const canRunNative = canRun(account, folder, join(native, 'bin/postgres'))
  return { folder, account, native: canRunNative ? native : publicCopy(native, sharedFolder) }
}

function homeOfRoot(dataDir: string, folder: string, native: string): Home {
  if (canRun(namespacedAccount(), folder, join(native, 'bin/postgres'))) return { folder, account: namespacedAccount(), native }

  const user = nobodyUser()
  const place = canEnter(accountOf(user), realpathSync(dataDir)) ? folder : moveToSharedFolder(dataDir, folder)
  changeOwner(user, place)
  return homeOfUser(user, place, native)
}

function moveToSharedFolder(dataDir: string, folder: string): string {
  if (existsSync(clusterOf(folder)))
    throw new CannotStart(
      `PostgreSQL does not run as root, and no other user can reach ${folder}. Start as an ordinary user, or make the way there passable.`,
    )
  const place = join(sharedFolder, createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 16))
  mkdirSync(sharedFolder, { recursive: true, mode: 0o711 })
  mkdirSync(place, { recursive: true, mode: 0o700 })
  writeFileSync(locationFile(dataDir), `${place}\n`)
  return place
}

function changeOwner({ uid, gid }: { uid: number; gid: number }, folder: string): void {
  chownSync(folder, uid, gid)
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) lchownSync(join(folder, name), uid, gid)
}

function locationFile(dataDir: string): string {
  return join(dataDir, 'postgres-is-in')
}
