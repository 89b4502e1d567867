import { storeOf } from '#base/web/store.ts'

export type Shared = { path: string; title: string }

/** The post whose share card is open; set by its menu, shown by the screen. */
export const sharing = storeOf<Shared | null>(null)

/** Puts a text on the clipboard, one that is still on its way too. False where the browser does not let us. */
export async function copy(text: string | Promise<string>): Promise<boolean> {
  try {
    if (!('clipboard' in navigator)) return copyWithoutHttps(await text)
    // Safari allows it only while the click is fresh, so it is told at once what will come.
    if (typeof text === 'string' || typeof ClipboardItem === 'undefined') await navigator.clipboard.writeText(await text)
    else
      await navigator.clipboard.write([new ClipboardItem({ 'text/plain': text.then((said) => new Blob([said], { type: 'text/plain' })) })])
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

export const canHandOn = (): boolean => 'share' in navigator

/** Opens the device's own list of where a link can go. Whoever closes that list changed their mind, and nothing went wrong. */
export async function handOn(what: ShareData): Promise<void> {
  try {
    await navigator.share(what)
  } catch (error) {
    if (!(error instanceof DOMException) || error.name !== 'AbortError') throw error
  }
}

/** Markdown of ours as other programs understand it: pictures, files, people and pages by whole addresses. */
export function elsewhere(markdown: string, origin: string): string {
  return markdown
    .replaceAll(/!\[((?:\\.|[^[\]\\])*)\]\(file:([\w-]+)#\d+x\d+\)/g, `![$1](${origin}/file/$2)`)
    .replaceAll(/!\[((?:\\.|[^[\]\\])*)\]\(file:([\w-]+)#\d+\)/g, `[$1](${origin}/file/$2)`)
    .replaceAll(/@\[((?:\\.|[^[\]\\])*)\]\(member:(\d+)\)/g, `[@$1](${origin}/user/control/home?userId=$2)`)
    .replaceAll(/\]\((?=\/(?!\/))/g, `](${origin}`)
}
