import { useEffect, useRef, useState } from 'react'
import { Icon } from '#base/web/editor/icons.tsx'
import { useLatest } from '#base/web/editor/latest.ts'
import { rememberSrc } from '#base/web/editor/picture.ts'
import { useWords } from '#base/web/words.tsx'
import css from '#base/web/editor/editor.module.css'

export type Uploaded = { file: string; src: string; width: number; height: number }
/** Sends a picture. `tell` is given how much of it has arrived, from 0 to 1. Throws an error whose message is for the person. */
export type SendPicture = (file: File, tell: (part: number) => void, signal: AbortSignal) => Promise<Uploaded>

export type Upload = { id: number; name: string; preview: string; part: number; wrong: string | null; cancel: () => void }

/** Told what became of a picture: null when it was called off or refused. */
type Ended = (upload: Upload, picture: Uploaded | null) => void

let last = 0

/** The pictures on their way into a post. */
export function useUploads(send: SendPicture, ended: Ended) {
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const change = (id: number, news: Partial<Upload>) => setUploads((all) => all.map((one) => (one.id === id ? { ...one, ...news } : one)))
  const drop = (id: number) => setUploads((all) => all.filter((one) => one.id !== id))
  const latest = useLatest(ended)
  const controls = useRef(new Set<AbortController>())
  useEffect(() => {
    const these = controls.current
    return () => these.forEach((control) => control.abort())
  }, [])

  async function start(file: File, begin: (upload: Upload) => void): Promise<void> {
    const control = new AbortController()
    controls.current.add(control)
    const upload: Upload = {
      id: ++last,
      name: file.name,
      preview: URL.createObjectURL(file),
      part: 0,
      wrong: null,
      cancel: () => control.abort(),
    }
    setUploads((all) => [...all, upload])
    begin(upload)
    let picture: Uploaded | null = null
    try {
      picture = await send(file, (part) => change(upload.id, { part }), control.signal)
      rememberSrc(picture.file, picture.src)
      drop(upload.id)
    } catch (error) {
      if (control.signal.aborted) drop(upload.id)
      else change(upload.id, { wrong: error instanceof Error ? error.message : String(error) })
    } finally {
      controls.current.delete(control)
      URL.revokeObjectURL(upload.preview)
    }
    latest.current(upload, control.signal.aborted ? null : picture)
  }

  return { uploads, start, drop }
}

export function UploadList({ uploads, drop }: { uploads: readonly Upload[]; drop: (id: number) => void }) {
  const words = useWords('editor')
  if (uploads.length === 0) return null
  return (
    <ul className={css.uploads}>
      {uploads.map((upload) => (
        <li key={upload.id}>
          {upload.wrong === null ? (
            <Progress upload={upload} />
          ) : (
            <p role="alert">{words('notUploaded', { name: upload.name, why: upload.wrong })}</p>
          )}
          <button
            type="button"
            aria-label={words(upload.wrong === null ? 'cancelUpload' : 'dismissUpload', { name: upload.name })}
            onClick={() => (upload.wrong === null ? upload.cancel() : drop(upload.id))}
          >
            <Icon of="close" />
          </button>
        </li>
      ))}
    </ul>
  )
}

function Progress({ upload: { name, part } }: { upload: Upload }) {
  const words = useWords('editor')
  const said = words('uploading', { name, percent: Math.round(part * 100) })
  return (
    <p>
      <progress max={1} value={part} aria-label={said} />
      <span aria-hidden="true">{said}</span>
    </p>
  )
}
