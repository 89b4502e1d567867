import type { Api } from '#base/contract.ts'
import type { fileKeys, fileKeysForStaff } from '#file/contract.ts'

type KeysPath = '/file/keys' | '/admin/file/keys'
type Keys = (fileId: string) => Promise<string | null>

const batchMs = 20
const maxPerCall = 100
const retryMs = 20_000

/**
 * Restricted files need a key in their address. When a picture fails to load for a member, a key is requested and the address
 * replaced, so that pages stay the same for all viewers. The returned function does the same for one file before it is shown.
 */
export function openPrivateFiles(
  api: Api,
  isMember: () => boolean,
  path: KeysPath = '/file/keys',
): (file: string) => Promise<string | null> {
  const keys = keysFrom(api, path)
  document.addEventListener(
    'error',
    ({ target }) => void (target instanceof HTMLImageElement && isMember() && retryWithKey(target, keys)),
    true,
  )
  document.addEventListener('click', (event) => void (isMember() && downloadWithKey(event, keys)))
  // Pictures that failed before this listener was added.
  for (const image of document.images) if (image.complete && image.naturalWidth === 0) void retryWithKey(image, keys)
  return async (file) => {
    const key = isMember() ? await keys(file) : null
    return key && withKey(`/file/${file}`, file, key)
  }
}

const ours = /^\/file\/(f_[\w-]{22})(?:\?|$)/

function fileIn(address: string): string | null {
  const { origin, pathname, search } = new URL(address, location.href)
  return origin === location.origin ? (ours.exec(pathname + search)?.[1] ?? null) : null
}

// A picture that fails again with a key is not accessible to this member.
const retried = new WeakMap<HTMLImageElement, { file: string; at: number }>()

async function retryWithKey(image: HTMLImageElement, keys: Keys): Promise<void> {
  const file = fileIn(image.currentSrc || image.src)
  const last = retried.get(image)
  if (!file || (last?.file === file && Date.now() - last.at < retryMs)) return
  retried.set(image, { file, at: Date.now() })
  const key = await keys(file)
  if (!key) return
  for (const source of image.closest('picture')?.querySelectorAll('source') ?? []) source.srcset = withKey(source.srcset, file, key)
  if (image.srcset) image.srcset = withKey(image.srcset, file, key)
  image.src = withKey(image.getAttribute('src') ?? '', file, key)
  // The picture may be within a link to itself.
  const way = image.closest('a')
  if (way && fileIn(way.href) === file) way.href = withKey(way.href, file, key)
}

async function downloadWithKey(event: MouseEvent, keys: Keys): Promise<void> {
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[download]') : null
  const file = link && fileIn(link.href)
  if (!link || !file || event.defaultPrevented || !isPlain(event)) return
  event.preventDefault()
  const key = await keys(file).catch(() => null)
  location.assign(key ? withKey(link.href, file, key) : link.href)
}

function isPlain({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey
}

/** Replaces the key in all addresses of a file. */
export function withKey(addresses: string, file: string, key: string): string {
  return addresses.replaceAll(new RegExp(`(/file/${file})(\\?[^\\s,]*)?`, 'g'), (_, path: string, query = '') => {
    const rest = new URLSearchParams(query)
    rest.set('key', key)
    return `${path}?${rest}`
  })
}

/** Batches requests for keys within a short time. */
function keysFrom(api: Api, path: KeysPath): Keys {
  let waiting = new Map<string, ((key: string | null) => void)[]>()

  async function ask(): Promise<void> {
    const batch = waiting
    waiting = new Map()
    const answer = await api
      .read<typeof fileKeys | typeof fileKeysForStaff>(path, { files: [...batch.keys()] }, { silent: true })
      .catch((): { keys: { file: string; key: string }[] } => ({ keys: [] }))
    const found = new Map(answer.keys.map(({ file, key }) => [file, key]))
    for (const [file, settle] of batch) for (const one of settle) one(found.get(file) ?? null)
  }

  return (fileId) =>
    new Promise((settle) => {
      if (waiting.size >= maxPerCall) void ask()
      if (waiting.size === 0) setTimeout(() => void ask(), batchMs)
      waiting.set(fileId, [...(waiting.get(fileId) ?? []), settle])
    })
}
