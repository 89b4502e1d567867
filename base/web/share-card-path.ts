/** The address of a post's share card. */
export function shareCardPath(path: string, language: string): string {
  const { searchParams } = new URL(path, 'http://site')
  const topicId = searchParams.get('topicId') ?? searchParams.get('questionId')
  const commentId = searchParams.get('commentId')
  return `/share/${topicId}/card.png?${new URLSearchParams({ language, ...(commentId && { commentId }) })}`
}

/** Weibo's share page, filled in. */
export function weiboShareUrl(title: string, url: string): string {
  return `https://service.weibo.com/share/share.php?${new URLSearchParams({ title, url })}`
}

// Browsers put pictures on the clipboard only over HTTPS.
export const canCopyPictures = (): boolean => 'clipboard' in navigator && typeof ClipboardItem !== 'undefined'

/** Copies a picture that may still be loading: browsers allow it only during the click. */
export async function copyPicture(png: Promise<Blob>): Promise<boolean> {
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })])
    return true
  } catch {
    return false
  }
}

export function canSharePictures(): boolean {
  return 'canShare' in navigator && navigator.canShare({ files: [new File([], 'card.png', { type: 'image/png' })] })
}
