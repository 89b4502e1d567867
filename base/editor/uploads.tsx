import { useState } from 'react'
import { createPortal } from 'react-dom'
import { formatSize } from '#base/size.ts'
import { Icon } from '#base/editor/icons.tsx'
import type { Upload, Uploads } from '#base/editor/upload-queue.ts'
import { useWords } from '#base/web/words.tsx'
import css from '#base/editor/uploads.module.css'

/** The uploads of a post: each at its placeholder, or below the text in the Markdown view. */
export function UploadList({ uploads, isRich }: { uploads: Uploads; isRich: boolean }) {
  const placed = uploads.all.filter(({ place }) => isRich && place?.isConnected)
  const others = uploads.all.filter((upload) => !placed.includes(upload))
  return (
    <>
      {placed.map((upload) => upload.place && createPortal(<UploadBox key={upload.id} upload={upload} uploads={uploads} />, upload.place))}
      {others.length > 0 && (
        <ul className={css.list}>
          {others.map((upload) => (
            <li key={upload.id}>
              <UploadBox upload={upload} uploads={uploads} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function UploadBox({ upload, uploads }: { upload: Upload; uploads: Uploads }) {
  const words = useWords('editor')
  const { name, size, error, mayRetry, told } = upload
  const isOver = error !== null || told !== null
  return (
    <span className={css.upload} data-wrong={error !== null || undefined}>
      <Preview of={upload} />
      <span className={css.body}>
        {told !== null ? (
          <span role="status">{words('uploadTold', { name, told })}</span>
        ) : error === null ? (
          <Progress upload={upload} />
        ) : (
          <span role="alert" className={css.wrong}>
            {words('notUploaded', { name, why: error })}
          </span>
        )}
        <span className={css.under}>
          {formatSize(size)}
          {mayRetry && (
            <button type="button" className="plain" aria-label={words('retryUpload', { name })} onClick={() => uploads.retry(upload.id)}>
              {words('retry')}
            </button>
          )}
        </span>
      </span>
      <button
        type="button"
        className={css.close}
        aria-label={words(isOver ? 'dismissUpload' : 'cancelUpload', { name })}
        onClick={() => uploads.drop(upload.id)}
      >
        <Icon of="close" />
      </button>
    </span>
  )
}

function Preview({ of: { preview } }: { of: Upload }) {
  const [isShown, setShown] = useState(true)
  return preview && isShown ? <img src={preview} alt="" onError={() => setShown(false)} /> : <Icon of="file" />
}

function Progress({ upload: { name, part } }: { upload: Upload }) {
  const words = useWords('editor')
  // The server's processing at the end reports no progress.
  const label =
    part === null ? words('uploadWaits', { name }) : words(part < 1 ? 'uploading' : 'uploadRead', { name, percent: Math.floor(part * 100) })
  return (
    <>
      <span aria-hidden="true">{label}</span>
      <progress max={1} {...(part !== null && part < 1 && { value: part })} aria-label={label} />
    </>
  )
}
