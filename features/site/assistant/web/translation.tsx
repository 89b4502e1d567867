import { useEffect, useEffectEvent } from 'react'
import type { translate } from '#assistant/generated-contract.ts'
import { GeneratedTextActions, GeneratedTextView } from '#assistant/web/generated-text.tsx'
import { useGeneration } from '#assistant/web/generation.ts'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { Translatable } from '#post/web/post.tsx'
import css from '#assistant/web/generated.module.css'

type TranslationProps = { of: Translatable; turn: () => void }

/** A post in the reader's language, with a button to show the original. */
export function Translation({ of: { kind, id }, turn }: TranslationProps) {
  const words = useWords('assistant')
  const into = useLanguage()
  const { making, begin, stop } = useGeneration<typeof translate>('/assistant/translate')
  const ask = () => void begin({ kind, postId: id, into })
  const first = useEffectEvent(ask)
  useEffect(() => first(), [])
  return (
    <div className={css.translation}>
      <GeneratedTextView making={making}>
        <button type="button" className="plain" onClick={turn}>
          {words('showOriginal')}
        </button>
        <GeneratedTextActions making={making} stop={stop} retry={ask} takes={false} />
      </GeneratedTextView>
    </div>
  )
}
