import { useEffect, useId, useRef, useState, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import type { Output } from '#base/contract.ts'
import { useForm } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'
import { acceptedPictures, useSendPicture } from '#file/web/file.ts'
import { uploadTagPicture, type tagsForStaff } from '#tag/contract.ts'
import { SquareDialog } from '#user/admin/user.tsx'
import { largestCroppedKilobytes } from '#user/contract.ts'
import css from '#content/admin/content.module.css'

type Picture = Output<typeof tagsForStaff>['tags'][number]['picture']

type Choosing = {
  /** What the tag will show. */
  picture: Picture
  choose: (picture: Picture) => void
  file: File | null
  take: (file: File | null) => void
  input: RefObject<HTMLInputElement | null>
  button: RefObject<HTMLButtonElement | null>
  value: RefObject<HTMLInputElement | null>
}

/** What somebody chooses as the picture of a tag. Until then the tag keeps what it has now, which others may change meanwhile. */
export function useTagPicture(now: Picture): Choosing {
  const [chosen, setChosen] = useState<{ picture: Picture } | null>(null)
  const [file, setFile] = useState<File | null>(null)
  const [input, button, value] = [useRef<HTMLInputElement>(null), useRef<HTMLButtonElement>(null), useRef<HTMLInputElement>(null)]

  function take(next: File | null): void {
    flushSync(() => setFile(next))
    // A dialog that goes while it is open, like a button that goes, gives its focus to nobody.
    if (!next) button.current?.focus()
  }

  function choose(picture: Picture): void {
    setChosen({ picture })
    take(null)
    // The form hears of what was typed, and nothing was.
    value.current?.dispatchEvent(new Event('input', { bubbles: true }))
  }

  return { picture: chosen ? chosen.picture : now, choose, file, take, input, button, value }
}

export function PictureField({ of: { picture, choose, input, button, value } }: { of: Choosing }) {
  const words = useWords('contentAdmin')
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
        {wrong ?? words('pictureHelp')}
      </p>
    </div>
  )
}

/** Stands beside the form, for it has one of its own. */
export function PictureCrop({ of: { choose, file, take, input } }: { of: Choosing }) {
  const words = useWords('contentAdmin')
  const sendPicture = useSendPicture<typeof uploadTagPicture>(uploadTagPicture.path, largestCroppedKilobytes)
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
        <SquareDialog
          file={file}
          title={words('choosePicture')}
          close={() => take(null)}
          send={async (part, onProgress) => choose(await sendPicture(file, part, { onProgress }))}
        />
      )}
    </>
  )
}
