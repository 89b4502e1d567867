import { useEffect, useEffectEvent } from 'react'
import type { translate } from '#assistant/made-contract.ts'
import { MadeDeeds, MadeText } from '#assistant/web/made-text.tsx'
import { useMaking } from '#assistant/web/making.ts'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { Translatable } from '#post/web/post.tsx'
import css from '#assistant/web/made.module.css'

type TranslationProps = { of: Translatable; turn: () => void }

/** A post in the reader's language, with a button to show the original. */
export function Translation({ of: { kind, id }, turn }: TranslationProps) {
  const words = useWords('assistant')
  const into = useLanguage()
  const { making, begin, stop } = useMaking<typeof translate>('/assistant/translate')
  const ask = () => void begin({ kind, postId: id, into })
  const first = useEffectEvent(ask)
  useEffect(() => first(), [])
  return (
    <div className={css.translation}>
      <MadeText making={making}>
        <button type="button" className="plain" onClick={turn}>
          {words('showOriginal')}
        </button>
        <MadeDeeds making={making} stop={stop} retry={ask} takes={false} />
      </MadeText>
    </div>
  )
}
