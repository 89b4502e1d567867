import { useId, useRef, type RefObject } from 'react'
import { lastGeneratedEditor } from '#base/web/assistant.ts'
import { openEditors } from '#base/editor/open-editors.ts'
import { Icon } from '#base/web/icon.tsx'
import { fetchBlob } from '#base/web/send.ts'
import { pushHistoryStep, type HistoryStep } from '#base/web/history-step.ts'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#assistant/web/image-view.module.css'

type ImageViewProps = { src: string; alt: string }

/** A picture of an answer: enlarge, copy, or insert into the open editor. */
export function ImageView({ src, alt }: ImageViewProps) {
  const words = useWords('aiChatImageView')
  const id = useId()
  const image = useRef<HTMLImageElement>(null)
  const viewer = useRef<HTMLDialogElement>(null)
  const step = useRef<HistoryStep>(null)
  const { copy, insert } = useActions(image, { src, alt })

  function view(): void {
    viewer.current?.showModal()
    step.current = pushHistoryStep(() => viewer.current?.close())
  }

  return (
    <figure className={css.view}>
      <img ref={image} src={src} alt={alt} />
      <figcaption>
        <button type="button" className="plain" onClick={view}>
          {words('10')}
        </button>
        <button type="button" className="plain" onClick={() => void copy()}>
          {words('20')}
        </button>
        {insert && (
          <button type="button" className="plain" onClick={() => void insert()}>
            {words('30')}
          </button>
        )}
      </figcaption>
      <dialog ref={viewer} className={css.viewer} aria-labelledby={id} onClose={() => step.current?.leave()}>
        <h2 id={id} className="hidden">
          {alt || words('picture')}
        </h2>
        <img src={src} alt={alt} />
        <button type="button" className="icon" aria-label={words('close')} onClick={() => viewer.current?.close()}>
          <Icon name="close" />
        </button>
      </dialog>
    </figure>
  )
}

/** Copying, and inserting into an open editor. */
function useActions(image: RefObject<HTMLImageElement | null>, { src, alt }: ImageViewProps) {
  const words = useWords('aiChatImageView')
  const editor = openEditors.use().at(-1)
  // The URL of a restricted picture contains an access key.
  const blob = () => fetchBlob(image.current?.currentSrc || src)

  async function copy(): Promise<void> {
    try {
      // A browser permits it only during the click, so the item is passed before its blob is ready.
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': blob().then(pngOf) })])
      toast(words('40'))
    } catch {
      toast(words('50'))
    }
  }

  async function insert(): Promise<void> {
    try {
      const taken = await blob()
      editor?.insertPicture(new File([taken], alt || words('picture'), { type: taken.type }))
      lastGeneratedEditor.set(editor ?? null)
    } catch {
      toast(words('60'))
    }
  }
  return { copy, insert: editor ? insert : null }
}

// Clipboards accept only PNG.
async function pngOf(blob: Blob): Promise<Blob> {
  if (blob.type === 'image/png') return blob
  const picture = await createImageBitmap(blob)
  const canvas = document.createElement('canvas')
  canvas.width = picture.width
  canvas.height = picture.height
  canvas.getContext('2d')?.drawImage(picture, 0, 0)
  return new Promise((taken, failed) => {
    canvas.toBlob((png) => (png ? taken(png) : failed(new Error('The picture cannot be drawn'))), 'image/png')
  })
}
