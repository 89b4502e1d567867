import { idlePart } from '#base/web/lazy-part.ts'

/** Asks again for pictures of the site that did not load, as when it was busy. The code for it loads with the first of them. */
export function retryBrokenPictures(): void {
  document.addEventListener('error', ({ target }) => target instanceof HTMLImageElement && void retry(target), true)
  // Pictures that failed before this listener was added.
  for (const image of document.images) if (image.complete && image.naturalWidth === 0) void retry(image)
}

async function retry(image: HTMLImageElement): Promise<void> {
  try {
    const { retryLater } = await idlePart(import('#file/web/retry-picture.ts'))
    retryLater(image)
  } catch (error) {
    console.info('A picture stays broken', error)
  }
}
