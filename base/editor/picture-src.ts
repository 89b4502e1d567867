type LookUpSrc = (file: string) => Promise<string | null>

const uploaded = new Map<string, string>()
let lookUp: Promise<LookUpSrc> | null = null

/** Remembers the address of a picture just uploaded, before any post shows it. */
export function rememberSrc(file: string, src: string): void {
  uploaded.set(file, src)
}

export function srcOf(file: string): string {
  return uploaded.get(file) ?? `/file/${file}`
}

/** Members who may see more than the public request addresses first, which avoids failed picture loads. */
export function setSrcLookup(coming: Promise<LookUpSrc>): void {
  lookUp = coming
}

/** Shows a draft's picture, which only its author can see. */
export async function showSrc(image: HTMLImageElement, file: string): Promise<void> {
  const src = uploaded.has(file) || !lookUp ? null : await lookUp.then((ask) => ask(file)).catch(() => null)
  // The element may show another picture by now.
  if (image.dataset['file'] === file) image.src = src ?? srcOf(file)
}
