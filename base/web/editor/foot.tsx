import { useWords } from '#base/web/words.tsx'
import css from '#base/web/editor/editor.module.css'

type FootProps = {
  id: string
  error: string | undefined
  isKept: boolean
  isTooLong: boolean
  isHeld: boolean
  isOnSite: boolean
  used: number
  max: number
}

/** What there is to tell about the text, under it: what is wrong first. */
export function Foot({ id, error, isKept, isTooLong, isHeld, isOnSite, used, max }: FootProps) {
  const words = useWords('editor')
  const wrong = error ?? (isTooLong ? words('tooLongToRead') : isHeld ? words('pictureWait') : isKept ? null : words('draftNotKept'))
  return (
    <div className={css.foot}>
      <p id={id} className={wrong ? 'wrong' : 'help'} role={wrong ? 'alert' : undefined}>
        {wrong ?? (isOnSite && words('draftOnSite'))}
      </p>
      {used > max * 0.8 && (
        <p className={css.length} data-over={used > max || undefined}>
          {words('length', { used, max })}
        </p>
      )}
    </div>
  )
}
