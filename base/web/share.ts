import { createStore } from '#base/web/store.ts'

export type SharedPost = { path: string; title: string }

/** The post whose share card is open; set by its menu, shown by the screen. */
export const sharing = createStore<SharedPost | null>(null)

/** Copies a text, which may still be loading. False where the browser refuses. */
export async function copy(text: string | Promise<string>): Promise<boolean> {
  try {
    if (!('clipboard' in navigator)) return copyWithoutHttps(await text)
    // Safari allows it only during the click, so the promise itself is handed over.
    if (typeof text === 'string' || typeof ClipboardItem === 'undefined') await navigator.clipboard.writeText(await text)
    else
      await navigator.clipboard.write([
        new ClipboardItem({ 'text/plain': text.then((value) => new Blob([value], { type: 'text/plain' })) }),
      ])
    return true
  } catch {
    return false
  }
}

function copyWithoutHttps(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.style.position = 'fixed'
  document.body.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  return isCopied
}

export const canShareNatively = (): boolean => 'share' in navigator

/** Opens the system's share sheet. A cancelled sheet is no error. */
export async function shareNatively(what: ShareData): Promise<void> {
  try {
    await navigator.share(what)
  } catch (error) {
    if (!(error instanceof DOMException) || error.name !== 'AbortError') throw error
  }
}

/** Our Markdown with absolute addresses of pictures, files, people and pages, for other programs. */
export function absoluteMarkdown(markdown: string, origin: string): string {
  return markdown
    .replaceAll(/!\[((?:\\.|[^[\]\\])*)\]\(file:([\w-]+)#\d+x\d+\)/g, `![$1](${origin}/file/$2)`)
    .replaceAll(/!\[((?:\\.|[^[\]\\])*)\]\(file:([\w-]+)#\d+\)/g, `[$1](${origin}/file/$2)`)
    .replaceAll(/@\[((?:\\.|[^[\]\\])*)\]\(member:(\d+)\)/g, `[@$1](${origin}/user/control/home?userId=$2)`)
    .replaceAll(/\]\((?=\/(?!\/))/g, `](${origin}`)
}
