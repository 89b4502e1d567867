import { useEffect, useState } from 'react'
import { canCopyPictures, canSharePictures, shareCardPath, copyPicture, weiboShareUrl } from '#base/web/share-card-path.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { fetchBlob } from '#base/web/send.ts'
import { copy, shareNatively, sharing, type SharedPost } from '#base/web/share.ts'
import { Failed, Skeleton } from '#base/web/states.tsx'
import { toast } from '#base/web/toast.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import css from '#base/web/share-card.module.css'

/** A post's share card as a picture, with its actions. */
export function ShareCard() {
  const words = useWords('share')
  const shared = sharing.use()
  // A navigation closes it.
  useEffect(() => close, [])
  return (
    <Dialog title={words('card')} isOpen={shared !== null} close={close}>
      {shared && <Card key={shared.path} {...shared} />}
    </Dialog>
  )
}

function close(): void {
  sharing.set(null)
}

function Card({ path, title }: SharedPost) {
  const words = useWords('share')
  const src = shareCardPath(path, useLanguage())
  const [tries, setTries] = useState(0)
  const [state, setState] = useState<'coming' | 'here' | 'failed'>('coming')

  function retry(): void {
    setState('coming')
    setTries(tries + 1)
  }

  if (state === 'failed') return <Failed retry={retry}>{words('cardFailed')}</Failed>
  return (
    <>
      <div className={css.frame} aria-busy={state === 'coming'}>
        {state === 'coming' && <Skeleton lines={8} />}
        <img
          key={tries}
          src={src}
          alt={words('cardOf', { title })}
          className={css.card}
          hidden={state === 'coming'}
          onLoad={() => setState('here')}
          onError={() => setState('failed')}
        />
      </div>
      <Actions path={path} title={title} src={src} isHere={state === 'here'} />
      <p className={css.hint}>{words('weChat')}</p>
    </>
  )
}

function Actions({ path, title, src, isHere }: SharedPost & { src: string; isHere: boolean }) {
  const words = useWords('share')
  const url = location.origin + path
  const picture = async () => new File([await fetchBlob(src)], 'card.png', { type: 'image/png' })
  const toastResult = (isDone: boolean, done: string) => toast(isDone ? done : words('cannotCopy'))
  const handsOn = canSharePictures()

  async function send(): Promise<void> {
    try {
      await shareNatively({ title, files: [await picture()] })
    } catch {
      toast(words('cannotHandOn'))
    }
  }

  return (
    <div className={css.actions}>
      {handsOn && (
        <button type="button" className="button" disabled={!isHere} onClick={() => void send()}>
          {words('handOn')}
        </button>
      )}
      {canCopyPictures() && (
        <button
          type="button"
          className={handsOn ? 'button quiet' : 'button'}
          disabled={!isHere}
          onClick={() => void copyPicture(picture()).then((isDone) => toastResult(isDone, words('pictureCopied')))}
        >
          {words('copyPicture')}
        </button>
      )}
      <a className="button quiet" href={src} download="card.png">
        {words('savePicture')}
      </a>
      <button
        type="button"
        className="button quiet"
        onClick={() => void copy(`${title}\n${url}`).then((isDone) => toastResult(isDone, words('titledCopied')))}
      >
        {words('copyTitled')}
      </button>
      <a className="button quiet" href={weiboShareUrl(title, url)} target="_blank" rel="noopener noreferrer">
        {words('weibo')}
      </a>
    </div>
  )
}
