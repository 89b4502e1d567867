import { createContext, useContext, type ComponentType, type ReactNode } from 'react'
import type { RenderedSegment } from '#base/web/html.tsx'
import { createStore } from '#base/web/store.ts'
import type { Kind, NamedPost } from '#kind/contract.ts'
import { useWords } from '#base/web/words.tsx'
import type { MineFields } from '#post/parts-contract.ts'

export { useUndo } from '#post/web/undo.ts'

/** The member's own state of the posts of a page, by the features that declare its fields; null for visitors and while it loads. */
export const MineContext = createContext<MineFields | null>(null)

export function useMine(): MineFields | null {
  return useContext(MineContext)
}

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

export type Translator = {
  /** The item of a post's menu, shown where a translation makes sense. */
  Item: ComponentType<TranslationState & { segments: readonly Pick<RenderedSegment, 'html'>[] }>
  Translation: ComponentType<Pick<TranslationState, 'of' | 'turn'>>
}

/** The translation of posts, loaded after the text; null until then, and for those who may not use it. */
export const translator = createStore<Translator | null>(null)

/** The posts that this reader sees translated. */
const translated = createStore<ReadonlySet<string>>(new Set())

function useTranslation({ kind, id }: Translatable): TranslationState & { by: Translator | null } {
  const key = `${kind} ${id}`
  const isTranslated = translated.use().has(key)

  function turn(): void {
    const others = [...translated.get()].filter((other) => other !== key)
    translated.set(new Set(isTranslated ? others : [...others, key]))
  }
  return { of: { kind, id }, isTranslated, turn, by: translator.use() }
}

/** The body of a post, or its translation in its place. The original stays mounted. */
export function Translated({ of, children }: { of: Translatable; children: ReactNode }) {
  const { by, isTranslated, turn } = useTranslation(of)
  const isShown = isTranslated && by !== null
  return (
    <>
      {isShown && <by.Translation of={of} turn={turn} />}
      <div hidden={isShown}>{children}</div>
    </>
  )
}

export function TranslateItem({ of, segments }: { of: Translatable; segments: readonly Pick<RenderedSegment, 'html'>[] }) {
  const { by, ...turned } = useTranslation(of)
  return by && <by.Item {...turned} segments={segments} />
}
