import { join } from 'node:path'
import { respondsSoon } from '#base/server/outbound/responds-soon.ts'
import { CannotStart } from '#base/server/cannot-start.ts'
import type { Config } from '#base/server/config.ts'
import type { Db } from '#base/server/database/database.ts'
import { StorageAway } from '#file/contract.ts'
import { diskStorage } from '#file/server/disk-storage.ts'
import { s3Storage } from '#file/server/s3-storage.ts'
import { newId } from '#file/server/new-id.ts'
import { incomingName, type Storage } from '#file/server/storage-types.ts'
import * as setting from '#setting/server/setting.ts'
import type { Settings } from '#setting/contract.ts'

type System = Settings['fileStorageSystem']
type StorageConfig = Pick<Config, 'dataDir' | 'store'>

/** The storage for new files, and the former one, which may still contain files. */
type StoragePair = { here: Storage; before: Storage | null }

let pairFor: ((system: System) => StoragePair) | null = null
const cache = new Map<System, Storage>()

let isStoreNamed = false

/** Called at startup: whether the environment configures an object storage. */
export function setHasStore(isNamed: boolean): void {
  isStoreNamed = isNamed
}

export function hasStore(): boolean {
  return isStoreNamed
}

export function openStorage({ dataDir, store }: StorageConfig): void {
  const disk = diskStorage(join(dataDir, 'files'))
  cache.clear()
  pairFor = (system) => {
    // The setting was changed while the program runs: existing files stay readable.
    if (system !== 0 && !store) return { here: { ...disk, put: () => Promise.reject(new StorageMissing(system)) }, before: null }
    if (!store) return { here: disk, before: null }
    const remote = s3Storage({ ...store, bucketStands: bucketIn(store.url, system) })
    return system === 0 ? { here: disk, before: remote } : { here: remote, before: disk }
  }
}

/** The present storage; files in the former one are found through it, too. */
export async function storage(db: Db): Promise<Storage> {
  const { fileStorageSystem: system } = await setting.all(db)
  const { here, before } = pair(system)
  const found = cache.get(system) ?? asRefusals(before ? firstThen(here, before) : here)
  cache.set(system, found)
  return found
}

/** The present storage's type, and whether it responds. */
export async function storageStatus(db: Db): Promise<{ isStore: boolean; isReachable: boolean }> {
  const { fileStorageSystem } = await setting.all(db)
  const isReachable = await respondsSoon(pair(fileStorageSystem).here.get('f_nobody-has-this.webp'))
  return { isStore: fileStorageSystem !== 0, isReachable }
}

/** Writes a small file, reads it and removes it. Throws if the storage refuses. If it is left behind, it goes like an abandoned upload. */
export async function tryStorage(db: Db): Promise<void> {
  const { here } = pair((await setting.all(db)).fileStorageSystem)
  const [name, content] = [incomingName(newId()), Buffer.from('teahouse')]
  await here.put(name, content)
  try {
    const stored = await here.get(name)
    stored?.stream.destroy()
    if (stored?.bytes !== content.length) throw new Error('A file that was written cannot be read')
  } finally {
    await here.remove(name)
  }
}

/** Moves files from the former storage to the present one, one by one. Safe to interrupt and repeat. */
export async function moveHere(db: Db): Promise<number> {
  const { here, before } = pair((await setting.all(db)).fileStorageSystem)
  let moved = 0
  for await (const name of before?.list(new Date()) ?? []) {
    const stored = await before?.get(name)
    if (!stored) continue
    await here.put(name, stored)
    await before?.remove(name)
    moved++
  }
  return moved
}

function pair(system: System): StoragePair {
  if (!pairFor) throw new Error('No storage is open')
  return pairFor(system)
}

// SeaweedFS (10) and MinIO (20) need path-style addresses, Aliyun OSS (30) virtual-hosted ones.
function bucketIn(url: string, system: System): 'in path' | 'in host' {
  return system === 30 || (system === 0 && url.endsWith('.aliyuncs.com')) ? 'in host' : 'in path'
}

/** Keeps the program from starting without a storage. */
export class StorageMissing extends CannotStart {
  constructor(system: System) {
    super(
      `The setting fileStorageSystem is ${system}, but no store is named. Set TEAHOUSE_S3_URL, TEAHOUSE_S3_BUCKET, TEAHOUSE_S3_KEY and TEAHOUSE_S3_SECRET, or keep files on the disk: npm run teahouse -- setting set fileStorageSystem 0`,
    )
  }
}

function firstThen(first: Storage, then: Storage): Storage {
  return {
    ...first,
    get: async (name, part) => (await first.get(name, part)) ?? (await then.get(name, part)),
    async copy(name, other) {
      const stored = await first.get(name)
      stored?.stream.destroy()
      await (stored ? first : then).copy(name, other)
    },
    async remove(name) {
      await first.remove(name)
      await then.remove(name)
    },
    async *list(before) {
      yield* first.list(before)
      yield* then.list(before)
    },
  }
}

// The user can only retry; the log keeps the cause.
function asRefusals(storage: Storage): Storage {
  function away(error: unknown): never {
    throw Object.assign(StorageAway(), { cause: error })
  }
  return {
    put: (name, content) => storage.put(name, content).catch(away),
    get: (name, part) => storage.get(name, part).catch(away),
    copy: (name, other) => storage.copy(name, other).catch(away),
    remove: (name) => storage.remove(name).catch(away),
    admit: (name, bytes, seconds) => storage.admit(name, bytes, seconds).catch(away),
    list: (before) => storage.list(before),
  }
}
