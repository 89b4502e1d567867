/** The address of the card of the post that stands at this one. */
export function cardOf(path: string, language: string): string {
  const { searchParams } = new URL(path, 'http://site')
  const topicId = searchParams.get('topicId') ?? searchParams.get('questionId')
  const commentId = searchParams.get('commentId')
  return `/share/${topicId}/card.png?${new URLSearchParams({ language, ...(commentId && { commentId }) })}`
}

/** Weibo's own page, filled in. */
export function weiboPage(title: string, url: string): string {
  return `https://service.weibo.com/share/share.php?${new URLSearchParams({ title, url })}`
}

// Over plain HTTP browsers take no pictures.
export const canCopyPictures = (): boolean => 'clipboard' in navigator && typeof ClipboardItem !== 'undefined'

/** Puts a picture on the clipboard that may be on its way yet: a browser allows it only while the click is fresh. */
export async function copyPicture(png: Promise<Blob>): Promise<boolean> {
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })])
    return true
  } catch {
    return false
  }
}

export function canHandOnPictures(): boolean {
  return 'canShare' in navigator && navigator.canShare({ files: [new File([], 'card.png', { type: 'image/png' })] })
}
