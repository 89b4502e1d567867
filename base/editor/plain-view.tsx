import { useState } from 'react'
import { Bar } from '#base/editor/bar.tsx'
import { markdownTools } from '#base/editor/markdown-tools.ts'
import { MarkdownView } from '#base/editor/markdown-view.tsx'
import { ToolButton } from '#base/editor/tool-button.tsx'
import type { Choosers } from '#base/editor/toolbar.tsx'
import type { useWholeEditor } from '#base/editor/whole-editor.ts'
import { useLater } from '#base/web/lazy-part.ts'
import { useWords } from '#base/web/words.tsx'
import css from '#base/editor/editor.module.css'
import sheet from '#base/editor/sheet.module.css'

type ToolName = keyof typeof markdownTools
type WholeEditor = ReturnType<typeof useWholeEditor>
type PlainViewProps = Choosers & {
  whole: WholeEditor
  isWrong: boolean
  isTall: boolean
  hidden: readonly string[]
  openAssistant: (() => void) | undefined
}

/** The Markdown view: a text area with tools and a preview. */
export function PlainView({ whole, isWrong, isTall, hidden, openAssistant, ...choose }: PlainViewProps) {
  const { id, area, writing, send, take, entered, isPlain } = whole
  const words = useWords('editor')
  const [isPreviewed, setPreviewed] = useState(() => isTall && matchMedia('(min-width: 1024px)').matches)
  const preview = useLater(
    () => import('#base/editor/markdown-preview.tsx'),
    isPreviewed,
    () => setPreviewed(false),
  )
  const labels = {
    'aria-labelledby': id,
    'aria-describedby': `${id}-note`,
    'aria-invalid': isWrong ? (true as const) : undefined,
    placeholder: words('placeholder'),
  }

  const use = (tool: ToolName) => area.current && write(area.current, tool)

  function shortcutOf(key: string): (() => void) | undefined {
    const [tool] = marks.find(([, its]) => its?.toLowerCase() === key.toLowerCase()) ?? []
    return key === 'Enter' ? send : tool && (() => use(tool))
  }

  return (
    <div className={`${css.view} ${sheet.view}`}>
      <div className={`${css.tools} ${sheet.tools}`}>
        <Tools {...{ whole, hidden, openAssistant, use, isPreviewed }} {...choose} turnPreview={() => setPreviewed(!isPreviewed)} />
      </div>
      <div className={`${css.sides} ${sheet.text}`}>
        <div className={css.pair} data-previewed={(isPreviewed && preview !== null) || undefined}>
          <MarkdownView
            area={area}
            text={writing.text}
            write={writing.wroteMarkdown}
            read={writing.read}
            onFiles={take}
            onFocus={entered}
            shortcutOf={shortcutOf}
            labels={labels}
          />
          {isPreviewed && preview && <preview.MarkdownPreview text={writing.text} isPlain={isPlain} />}
        </div>
      </div>
    </div>
  )
}

function write(box: HTMLTextAreaElement, tool: ToolName): void {
  const { from, to, text, select } = markdownTools[tool](box.value, box.selectionStart, box.selectionEnd)
  box.focus()
  box.setSelectionRange(from, to)
  // As if typed, so that the browser can undo it.
  document.execCommand(text ? 'insertText' : 'delete', false, text)
  box.setSelectionRange(...select)
}

/** The tools of a reply, and those for blocks. */
const marks = [['bold', 'B'], ['italic', 'I'], ['strike'], ['code', 'E'], ['link', 'K']] as const
const blocks = [['heading'], ['bulletList'], ['orderedList'], ['quote'], ['codeBlock']] as const

type ToolsProps = Choosers &
  Pick<PlainViewProps, 'whole' | 'hidden' | 'openAssistant'> & { use: (tool: ToolName) => void } & {
    isPreviewed: boolean
    turnPreview: () => void
  }

function Tools({ whole, hidden, openAssistant, use, isPreviewed, turnPreview, choosePictures, takePhoto, chooseFiles }: ToolsProps) {
  const { isPlain, emojiPanel } = whole
  const shows = (tool: string) => !hidden.includes(tool)
  return (
    <Bar label="toolbar">
      {[...marks, ...(isPlain ? [] : blocks)]
        .filter(([name]) => shows(name))
        .map(([name, keys]) => (
          <ToolButton key={name} name={name} keys={keys} act={() => use(name)} />
        ))}
      {shows('picture') && <ToolButton name="picture" act={choosePictures} />}
      {shows('camera') && <ToolButton name="camera" act={takePhoto} />}
      {shows('emoji') && <ToolButton name="emoji" opens={emojiPanel} />}
      {!isPlain && shows('file') && <ToolButton name="file" act={chooseFiles} />}
      {openAssistant && shows('ai') && <ToolButton name="ai" act={openAssistant} />}
      <ToolButton name="preview" isOn={isPreviewed} act={turnPreview} />
    </Bar>
  )
}
