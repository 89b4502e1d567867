import { EditorContent } from '@tiptap/react'
import { useMemo, useRef, type RefObject } from 'react'
import { confirm } from '#base/web/dialogs.ts'
import { assistantIsOpen } from '#base/web/assistant.ts'
import { draftStates } from '#base/editor/draft-state.ts'
import { EmojiPanel } from '#base/editor/emoji/emoji-panel.tsx'
import { Foot } from '#base/editor/foot.tsx'
import { HidingContext, type HidingState } from '#base/editor/hiding-state.ts'
import { useKeyboardInset } from '#base/editor/keyboard.ts'
import { LinkDialog } from '#base/editor/link-dialog.tsx'
import { MentionList, type Suggest } from '#base/editor/mention-list.tsx'
import { OtherVersion } from '#base/editor/other-version.tsx'
import { PlainView } from '#base/editor/plain-view.tsx'
import { TableBar } from '#base/editor/table-bar.tsx'
import { Toolbar, type Choosers } from '#base/editor/toolbar.tsx'
import { UploadList } from '#base/editor/uploads.tsx'
import { useWholeEditor, type EditorProps } from '#base/editor/whole-editor.ts'
import type { View } from '#base/editor/writing.ts'
import { useTranslate, useWords } from '#base/web/words.tsx'
import css from '#base/editor/editor.module.css'
import sheet from '#base/editor/sheet.module.css'

/** The editor of a post: rich text and Markdown, two views of one document. Every keystroke is stored. */
export function Editor(props: EditorProps) {
  const { label, size, accept = 'image/*', maxText = Infinity, suggestMembers: suggest } = props
  const { hidden = [], hiding = null, hasAssistant = false, beside, placeholder, draftKey, note } = props
  const isCompact = size === 'compact'
  const { pictureChooser, camera, fileChooser, choose } = useChoosers()
  const whole = useWholeEditor(props)
  useKeyboardInset()
  const error = useLineError(whole.wrongLine) ?? props.error
  const state = draftStates.use().get(draftKey)
  const { id, editor, frame, writing, views, uploads, link, isRich, isHeld, used } = whole
  const openAssistant = hasAssistant ? () => openAssistantFor(whole) : undefined
  return (
    <div className={`${css.editor} ${sheet.editor}`} data-size={size}>
      <Head {...{ whole, label, isCompact, draftKey }} />
      <div ref={frame} className={`${css.frame} ${sheet.frame}`} data-wrong={error ? true : undefined}>
        <RichView {...{ whole, hidden, hiding, openAssistant, placeholder, beside, suggest }} isWrong={Boolean(error)} {...choose} />
        {!isRich && <PlainView {...{ whole, hidden, openAssistant }} isWrong={Boolean(error)} isTall={size === 'tall'} {...choose} />}
        <UploadList uploads={uploads} isRich={isRich} />
      </div>
      <Chooser input={pictureChooser} accept={accept} take={uploads.take} />
      <Chooser input={camera} accept="image/*" capture="environment" take={uploads.take} />
      <Chooser input={fileChooser} take={uploads.take} />
      <Foot
        id={`${id}-note`}
        {...writing}
        {...{ error, isWaiting: isHeld, note, used }}
        state={state ?? null}
        isQuiet={isCompact}
        max={maxText}
      />
      <LinkDialog editor={editor} {...link} />
      <EmojiPanel id={whole.emojiPanel} choose={views.insertText} />
    </div>
  )
}

// The assistant's answers can be inserted here.
function openAssistantFor({ entered }: WholeEditor): void {
  entered()
  assistantIsOpen.set(true)
}

function useChoosers() {
  const pictureChooser = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const fileChooser = useRef<HTMLInputElement>(null)
  const choose: Choosers = {
    choosePictures: () => pictureChooser.current?.click(),
    takePhoto: () => camera.current?.click(),
    chooseFiles: () => fileChooser.current?.click(),
  }
  return { pictureChooser, camera, fileChooser, choose }
}

/** The error of a line, with its number. */
function useLineError(wrong: WholeEditor['wrongLine']): string | undefined {
  const words = useWords('editor')
  const say = useTranslate()
  return wrong ? words('inLine', { line: wrong.line, what: say(wrong.code, wrong.values) }) : undefined
}

type HeadProps = Pick<EditorProps, 'label' | 'draftKey'> & { whole: WholeEditor; isCompact: boolean }

/** The label, the choice of view, and the note about a restored draft. */
function Head({ whole: { id, writing, views }, label, draftKey, isCompact }: HeadProps) {
  const state = draftStates.use().get(draftKey)
  return (
    <>
      <p className={isCompact ? 'hidden' : `${css.head} ${sheet.head}`}>
        <span id={id} className={css.label}>
          {label}
        </span>
        {!isCompact && <Views view={writing.view} see={views.see} />}
      </p>
      {state?.other ? (
        <OtherVersion draftKey={draftKey} other={state.other} />
      ) : (
        writing.isRestored && !isCompact && <RestoredNote drop={writing.drop} />
      )}
    </>
  )
}

function Views({ view, see }: { view: View; see: (view: View) => void }) {
  const words = useWords('editor')
  return (
    <span className={`${css.views} ${sheet.views}`} role="group" aria-label={words('views')}>
      {(['rich', 'markdown'] as const).map((name) => (
        <button key={name} type="button" className="plain" aria-pressed={view === name} onClick={() => see(name)}>
          {words(name)}
        </button>
      ))}
    </span>
  )
}

/** The note that an unsent draft was restored. */
function RestoredNote({ drop }: { drop: () => void }) {
  const words = useWords('editor')
  async function ask(): Promise<void> {
    if (await confirm(words('dropQuestion'), words('dropDraft'))) drop()
  }
  return (
    <p className={css.restored} role="status">
      {words('draftRestored')}
      <button type="button" className="plain" onClick={() => void ask()}>
        {words('dropDraft')}
      </button>
    </p>
  )
}

type WholeEditor = ReturnType<typeof useWholeEditor>
type RichViewProps = Choosers &
  Pick<EditorProps, 'placeholder' | 'beside'> & {
    whole: WholeEditor
    suggest: Suggest | undefined
    hidden: readonly string[]
    hiding: HidingState
    openAssistant: (() => void) | undefined
    isWrong: boolean
  }

/** Stays mounted but hidden while the Markdown view is shown, which preserves the undo history. */
function RichView({
  whole: { editor, asking, isRich, isPlain, isEmpty, openLink, emojiPanel },
  suggest,
  hidden,
  hiding,
  openAssistant,
  isWrong,
  placeholder,
  beside,
  ...choose
}: RichViewProps) {
  const words = useWords('editor')
  const parts = useMemo(() => ({ hiding, isWrong }), [hiding, isWrong])
  return (
    <div hidden={!isRich} className={`${css.view} ${sheet.view}`}>
      <div className={`${css.tools} ${sheet.tools}`}>
        <Toolbar
          editor={editor}
          isPlain={isPlain}
          openLink={openLink}
          openAssistant={openAssistant}
          emojiPanel={emojiPanel}
          hidden={hidden}
          hiding={hiding}
          {...choose}
        />
        {!isPlain && <TableBar editor={editor} />}
        {beside}
      </div>
      <div className={`${css.rich} ${sheet.text}`}>
        {isEmpty && (
          <p className={css.placeholder} aria-hidden="true">
            {placeholder ?? words('placeholder')}
          </p>
        )}
        <HidingContext value={parts}>
          <EditorContent editor={editor} />
        </HidingContext>
        {suggest && <MentionList editor={editor} mentions={asking} suggest={suggest} />}
      </div>
    </div>
  )
}

type ChooserProps = { input: RefObject<HTMLInputElement | null>; accept?: string; capture?: 'environment'; take: (files: File[]) => void }

function Chooser({ input, take, ...asked }: ChooserProps) {
  return (
    <input
      ref={input}
      type="file"
      hidden
      multiple
      {...asked}
      onChange={({ currentTarget }) => {
        take([...(currentTarget.files ?? [])])
        // Allows choosing the same file again.
        currentTarget.value = ''
      }}
    />
  )
}
