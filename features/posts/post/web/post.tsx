import { createContext, useContext, type ComponentType, type ReactNode } from 'react'
import type { RenderedSegment } from '#base/web/html.tsx'
import { createStore } from '#base/web/store.ts'
import type { Kind, NamedPost } from '#kind/contract.ts'
import { useWords } from '#base/web/words.tsx'

export { useUndo } from '#post/web/undo.ts'

/** With the number of an addendum, if that is the target. */
type Post = NamedPost & { id: string; postscript?: number }

/** The post that the viewer wants to report. Its button sets it, and the screen of the post opens the dialog. */
export const reporting = createStore<Post | null>(null)

export function ReportButton(post: Post) {
  const words = useWords('share')
  return (
    <button type="button" className="plain" data-action="report" onClick={() => reporting.set(post)}>
      {words('report')}
    </button>
  )
}

export type Translatable = { kind: Kind; id: string }
type TranslationState = { of: Translatable; isTranslated: boolean; turn: () => void }

/** The translation of posts, loaded after the text and only for those who may use it. */
export type Translator = {
  /** The item of a post's menu, shown where a translation makes sense. */
  Item: ComponentType<TranslationState & { segments: readonly Pick<RenderedSegment, 'html'>[] }>
  Translation: ComponentType<Pick<TranslationState, 'of' | 'turn'>>
}
export const TranslatorContext = createContext<Translator | null>(null)

/** The posts that this reader sees translated. */
const translated = createStore<ReadonlySet<string>>(new Set())

function useTranslation({ kind, id }: Translatable): TranslationState & { translator: Translator | null } {
  const key = `${kind} ${id}`
  const isTranslated = translated.use().has(key)
  const translator = useContext(TranslatorContext)

  function turn(): void {
    const others = [...translated.get()].filter((other) => other !== key)
    translated.set(new Set(isTranslated ? others : [...others, key]))
  }
  return { of: { kind, id }, isTranslated, turn, translator }
}

/** The body of a post, or its translation in its place. The original stays mounted. */
export function Translated({ of, children }: { of: Translatable; children: ReactNode }) {
  const { translator, isTranslated, turn } = useTranslation(of)
  const isShown = isTranslated && translator !== null
  return (
    <>
      {isShown && <translator.Translation of={of} turn={turn} />}
      <div hidden={isShown}>{children}</div>
    </>
  )
}

export function TranslateItem({ of, segments }: { of: Translatable; segments: readonly Pick<RenderedSegment, 'html'>[] }) {
  const { translator, ...turned } = useTranslation(of)
  return translator && <translator.Item {...turned} segments={segments} />
}
