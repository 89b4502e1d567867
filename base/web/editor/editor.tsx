import { EditorContent } from '@tiptap/react'
import { useRef } from 'react'
import type { Doc } from '#base/rich-text/document.ts'
import { Foot } from '#base/web/editor/foot.tsx'
import { LinkDialog } from '#base/web/editor/link-dialog.tsx'
import { MarkdownView } from '#base/web/editor/markdown-view.tsx'
import { MentionList, type Suggest } from '#base/web/editor/mention-list.tsx'
import { TableBar } from '#base/web/editor/table-bar.tsx'
import { Toolbar } from '#base/web/editor/toolbar.tsx'
import { UploadList, type SendPicture } from '#base/web/editor/uploads.tsx'
import { useWholeEditor } from '#base/web/editor/whole-editor.ts'
import type { View } from '#base/web/editor/writing.ts'
import { useWords } from '#base/web/words.tsx'
import css from '#base/web/editor/editor.module.css'

export type EditorProps = {
  label: string
  /** The post as it was; nothing for a new one. */
  value?: Doc | undefined
  onChange: (doc: Doc) => void
  draftKey: string
  kind: 'topic' | 'comment' | 'reply'
  suggestMembers: Suggest
  upload: SendPicture
  /** For the file chooser. */
  accept?: string
  error?: string | undefined
  /** The longest text; one is told when it is near. */
  maxText?: number
}

/** Writes a post: rich text and Markdown, two views of one document. What is typed is never lost. */
export function Editor(props: EditorProps) {
  const words = useWords('editor')
  const chooser = useRef<HTMLInputElement>(null)
  const whole = useWholeEditor(props)
  const { id, editor, writing, views, pictures, isRich, isPlain } = whole
  const choosePictures = () => chooser.current?.click()
  const labels = {
    'aria-labelledby': id,
    'aria-describedby': `${id}-note`,
    'aria-invalid': props.error ? (true as const) : undefined,
    placeholder: words('placeholder'),
  }
  return (
    <div className={css.editor} data-kind={props.kind}>
      <p className={css.head}>
        <span id={id} className={css.label}>
          {props.label}
        </span>
        <Views view={writing.view} see={views.see} />
      </p>
      <div ref={whole.frame} className={css.frame} data-wrong={props.error ? true : undefined}>
        {isRich && <Toolbar editor={editor} isPlain={isPlain} openLink={whole.openLink} choosePictures={choosePictures} />}
        {isRich && !isPlain && <TableBar editor={editor} />}
        <div className={css.rich} hidden={!isRich}>
          {whole.isEmpty && (
            <p className={css.placeholder} aria-hidden="true">
              {words('placeholder')}
            </p>
          )}
          <EditorContent editor={editor} />
          {isRich && <MentionList editor={editor} asking={whole.asking} suggest={props.suggestMembers} />}
        </div>
        {!isRich && (
          <MarkdownView
            area={whole.area}
            text={writing.text}
            write={writing.wroteMarkdown}
            read={writing.read}
            send={whole.send}
            take={whole.take}
            enter={whole.entered}
            labels={labels}
          />
        )}
        {!isRich && <PictureButton choose={choosePictures} />}
        <UploadList uploads={pictures.uploads} drop={pictures.drop} />
      </div>
      <input
        ref={chooser}
        type="file"
        hidden
        multiple
        accept={props.accept ?? 'image/*'}
        onChange={({ currentTarget }) => {
          whole.take([...(currentTarget.files ?? [])])
          currentTarget.value = ''
        }}
      />
      <Foot
        id={`${id}-note`}
        error={props.error}
        {...writing}
        isHeld={whole.isHeld}
        used={whole.used}
        max={props.maxText ?? Infinity}
        drop={views.startAnew}
      />
      <LinkDialog editor={editor} isOpen={whole.isLinking} close={whole.closeLink} />
    </div>
  )
}

function Views({ view, see }: { view: View; see: (view: View) => void }) {
  const words = useWords('editor')
  return (
    <span className={css.views} role="group" aria-label={words('views')}>
      {(['rich', 'markdown'] as const).map((name) => (
        <button key={name} type="button" aria-pressed={view === name} onClick={() => see(name)}>
          {words(name)}
        </button>
      ))}
    </span>
  )
}

function PictureButton({ choose }: { choose: () => void }) {
  const words = useWords('editor')
  return (
    <p className={css.under}>
      <button type="button" className="plain" onClick={choose}>
        {words('picture')}
      </button>
    </p>
  )
}
