import { useEffect, useId, useRef, useState, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import type { z } from 'zod'
import type { Endpoint } from '#base/contract.ts'
import { useForm } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'
import { acceptedPictures, useSendPicture } from '#file/web/file.ts'
import { maxCropKilobytes, type squarePart } from '#user/contract.ts'
import { CropDialog } from '#user/web/crop-dialog.tsx'
import css from '#user/admin/user.module.css'

type Picture = { file: string; src: string } | null

type Upload = Endpoint<string, typeof squarePart, z.ZodType<NonNullable<Picture>>>

type PictureChoice = {
  /** The picture that will be shown. */
  picture: Picture
  choose: (picture: Picture) => void
  file: File | null
  take: (file: File | null) => void
  input: RefObject<HTMLInputElement | null>
  button: RefObject<HTMLButtonElement | null>
  value: RefObject<HTMLInputElement | null>
}

/** The choice of a square picture. Until one is chosen the current picture stays, which others may change meanwhile. */
export function useSquarePicture(now: Picture): PictureChoice {
  const [chosen, setChosen] = useState<{ picture: Picture } | null>(null)
  const [file, setFile] = useState<File | null>(null)
  const [input, button, value] = [useRef<HTMLInputElement>(null), useRef<HTMLButtonElement>(null), useRef<HTMLInputElement>(null)]

  function take(next: File | null): void {
    flushSync(() => setFile(next))
    // A dialog or a button that disappears while focused passes its focus to no element.
    if (!next) button.current?.focus()
  }

  function choose(picture: Picture): void {
    setChosen({ picture })
    take(null)
    // Fires an input event: the form listens for typing, and nothing was typed.
    value.current?.dispatchEvent(new Event('input', { bubbles: true }))
  }

  return { picture: chosen ? chosen.picture : now, choose, file, take, input, button, value }
}

export function PictureField({ of: { picture, choose, input, button, value }, help }: { of: PictureChoice; help: string }) {
  const words = useWords('admin')
  const { picture: wrong } = useForm().errors
  const id = useId()
  useEffect(() => {
    if (wrong) button.current?.focus()
  }, [wrong, button])
  return (
    <div className="field" role="group" aria-labelledby={id}>
      <span id={id} className={css.label}>
        {words('picture')}
      </span>
      <input ref={value} type="hidden" name="picture" value={picture?.file ?? ''} />
      <div className={css.picture}>
        {picture && <img src={picture.src} alt="" width={64} height={64} />}
        <button ref={button} type="button" className="button quiet" aria-describedby={`${id}-help`} onClick={() => input.current?.click()}>
          {words(picture ? 'choosePictureAnew' : 'choosePicture')}
        </button>
        {picture && (
          <button type="button" className="plain" onClick={() => choose(null)}>
            {words('removePicture')}
          </button>
        )}
      </div>
      <p id={`${id}-help`} className={wrong ? 'wrong' : 'help'} role={wrong ? 'alert' : undefined}>
        {wrong ?? help}
      </p>
    </div>
  )
}

/** Stands beside the form, because it has one of its own. */
export function PictureCrop({ of: { choose, file, take, input }, sends }: { of: PictureChoice; sends: Pick<Endpoint, 'path'> }) {
  const words = useWords('admin')
  const sendPicture = useSendPicture<Upload>(sends.path, maxCropKilobytes)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={acceptedPictures}
        hidden
        onChange={({ target }) => {
          take(target.files?.[0] ?? null)
          target.value = ''
        }}
      />
      {file && (
        <CropDialog
          shape="square"
          file={file}
          title={words('choosePicture')}
          close={() => take(null)}
          send={async (part, onProgress) => choose(await sendPicture(file, part, { onProgress }))}
        />
      )}
    </>
  )
}
