import { useEffect, useId, useRef, useState } from 'react'
import { useForm } from '#base/web/form.tsx'
import { Icon } from '#base/web/icon.tsx'
import { useWords } from '#base/web/words.tsx'
import { acceptedPictures, UploadRefused, useUploads } from '#file/web/file.ts'
import css from '#report/web/report.module.css'

type Picture = {
  key: number
  name: string
  preview: string
  part: number
  file: string | null
  wrong: string | null
  told: string | null
  stop: AbortController
}

let last = 0

/** Pictures as evidence; only the reporter and staff see them. */
export function PicturesField({ max }: { max: number }) {
  const words = useWords('report')
  const { errors, clearError } = useForm()
  const { pictures, add, drop } = usePictures(max)
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const wrong = errors['pictures']
  return (
    <div className="field">
      <span id={id} className={css.what}>
        {words('pictures', { max })}
      </span>
      <ul className={css.pictures} aria-labelledby={id}>
        {pictures.map((picture) => (
          <PicturePreview key={picture.key} picture={picture} drop={() => drop(picture.key)} />
        ))}
        {pictures.length < max && (
          <li>
            <button type="button" className={css.add} onClick={() => input.current?.click()}>
              <Icon name="picture" />
              {words('addPicture')}
            </button>
          </li>
        )}
      </ul>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        tabIndex={-1}
        accept={acceptedPictures}
        onChange={({ target }) => {
          add([...(target.files ?? [])])
          clearError('pictures')
          target.value = ''
        }}
      />
      {/* Puts the error of the upload here. */}
      <input type="hidden" name="pictures" disabled />
      <p className={wrong ? 'wrong' : 'help'} role={wrong ? 'alert' : undefined}>
        {wrong ?? pictures.find((picture) => picture.wrong)?.wrong ?? pictures.findLast(({ told }) => told)?.told ?? words('picturesHelp')}
      </p>
    </div>
  )
}

function PicturePreview({ picture, drop }: { picture: Picture; drop: () => void }) {
  const words = useWords('report')
  const { name, preview, part, file, wrong } = picture
  return (
    <li data-wrong={wrong !== null || undefined}>
      <img src={preview} alt={name} />
      {file === null && wrong === null && <progress value={part} aria-label={name} />}
      <button type="button" aria-label={words('dropPicture', { name })} onClick={drop}>
        <Icon name="close" size={16} />
      </button>
    </li>
  )
}

function usePictures(max: number) {
  const take = useUploads({ takesAttachments: false })
  const { setValue } = useForm()
  const [pictures, setPictures] = useState<Picture[]>([])
  const change = (key: number, to: Partial<Picture>) =>
    setPictures((all) => all.map((picture) => (picture.key === key ? { ...picture, ...to } : picture)))

  useEffect(() => {
    setValue(
      'pictures',
      pictures.flatMap(({ file }) => file ?? []),
    )
  }, [setValue, pictures])

  async function send(file: File, { key, stop }: Picture): Promise<void> {
    try {
      const { block, told = null } = await take.send(file, (part) => change(key, { part }), stop.signal)
      if (block.type === 'image') change(key, { file: block.attrs.file, told })
    } catch (error) {
      if (stop.signal.aborted) return
      if (!(error instanceof UploadRefused)) throw error
      change(key, { wrong: error.message })
    }
  }

  function add(files: readonly File[]): void {
    const taken = files.slice(0, max - pictures.length).map((file) => {
      const preview = URL.createObjectURL(file)
      return {
        file,
        picture: { key: ++last, name: file.name, preview, part: 0, file: null, wrong: null, told: null, stop: new AbortController() },
      }
    })
    setPictures([...pictures, ...taken.map(({ picture }) => picture)])
    for (const { file, picture } of taken) void send(file, picture)
  }

  function drop(key: number): void {
    const picture = pictures.find((one) => one.key === key)
    picture?.stop.abort()
    if (picture) URL.revokeObjectURL(picture.preview)
    setPictures(pictures.filter((one) => one.key !== key))
  }

  return { pictures, add, drop }
}
