import type { Editor } from '@tiptap/core'
import { TextSelection } from '@tiptap/pm/state'
import { NodeViewContent, NodeViewWrapper, type NodeViewProps } from '@tiptap/react'
import { useContext, useId, useState, type ReactNode } from 'react'
import type { Hidden, Lock } from '#base/rich-text/document.ts'
import { unhide } from '#base/editor/hide.ts'
import { HidingContext } from '#base/editor/hiding-state.ts'
import { PartValue, useLockError } from '#base/editor/hidden-value.tsx'
import { Icon } from '#base/editor/icons.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#base/editor/hidden.module.css'

type Attrs = Hidden['attrs']

/** A hidden part in the editor, with its lock and a button to unhide it above. */
export function HiddenView({ node, editor, getPos, updateAttributes }: NodeViewProps) {
  const words = useWords('editor')
  const site = useWords('site')
  const { hiding } = useContext(HidingContext)
  const attrs = { ...(node.attrs as Attrs), id: node.attrs['id'] ?? undefined }

  function removeLock(): void {
    const at = getPos()
    if (at !== undefined)
      editor
        .chain()
        .command(({ tr }) => (unhide(tr, at), true))
        .focus()
        .run()
  }

  return (
    <NodeViewWrapper as="section" className={css.part}>
      <Head>
        {hiding ? (
          <LockChoice attrs={attrs} set={updateAttributes} focusContent={() => focusContentOf(editor, getPos())} />
        ) : (
          <span className={css.said}>{site('hiddenBy', { lock: attrs.lock })}</span>
        )}
        <button type="button" className="plain" onClick={removeLock}>
          {words('unhide')}
        </button>
      </Head>
      <NodeViewContent className={css.inside} />
    </NodeViewWrapper>
  )
}

/** A hidden part with withheld content. It can only stay or be removed. */
export function WithheldView({ node, deleteNode }: NodeViewProps) {
  const words = useWords('editor')
  const site = useWords('site')
  return (
    <NodeViewWrapper as="section" className={css.part}>
      <Head>
        <span className={css.said}>{site('hiddenBy', { lock: node.attrs['lock'] })}</span>
        <button type="button" className="plain" onClick={deleteNode}>
          {words('removeHidden')}
        </button>
      </Head>
      <p className={css.shut}>{words('hiddenStays')}</p>
    </NodeViewWrapper>
  )
}

function Head({ children }: { children: ReactNode }) {
  const words = useWords('editor')
  return (
    <div data-head contentEditable={false} className={css.head} role="group" aria-label={words('hidden')}>
      <Icon of="hidden" />
      {children}
    </div>
  )
}

type ChoiceProps = { attrs: Attrs; set: (attrs: Partial<Attrs>) => void; /** Moves the cursor into the part. */ focusContent: () => void }

function LockChoice({ attrs, set, focusContent }: ChoiceProps) {
  const words = useWords('editor')
  const { hiding } = useContext(HidingContext)
  const id = useId()
  // An invalid lock makes a part that cannot be opened, whatever it looks like.
  const fault = useLockError(attrs)
  // The current lock stays available.
  const [first] = useState(attrs)
  const allowed = hiding?.limits?.locks ?? []
  const offered = [...new Set([...allowed, first.lock, attrs.lock])]
  return (
    <>
      <span className={css.pair}>
        <label htmlFor={id}>{words('hiddenUntil')}</label>
        <select
          id={id}
          value={attrs.lock}
          onChange={(event) => set({ lock: event.target.value as Lock, value: event.target.value === first.lock ? first.value : '' })}
        >
          {offered.map((lock) => (
            <option key={lock} value={lock}>
              {words(lockWords[lock])}
            </option>
          ))}
        </select>
      </span>
      {attrs.lock !== 'comment' && (
        <PartValue
          key={attrs.lock}
          attrs={attrs}
          keepsPassword={Boolean(first.id) && first.lock === 'password'}
          set={set}
          focusContent={focusContent}
        />
      )}
      {attrs.lock === 'comment' && fault && (
        <p className="wrong" role="alert">
          {fault}
        </p>
      )}
      {hiding?.retry && (
        <button type="button" className="plain" onClick={hiding.retry}>
          {words('hidingRetry')}
        </button>
      )}
    </>
  )
}

const lockWords = {
  password: 'lockPassword',
  comment: 'lockComment',
  level: 'lockLevel',
  points: 'lockPoints',
  balance: 'lockBalance',
} as const satisfies Record<Lock, string>

// Immediately, because the next keystroke would go elsewhere.
function focusContentOf({ view }: Editor, at: number | undefined): void {
  if (at === undefined) return
  view.dispatch(view.state.tr.setSelection(TextSelection.near(view.state.doc.resolve(at + 1))))
  view.focus()
}
