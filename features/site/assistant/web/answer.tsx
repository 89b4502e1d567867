import { memo, useRef, type MouseEvent } from 'react'
import { ImageView } from '#assistant/web/image-view.tsx'
import type { Block, Doc } from '#base/rich-text/document.ts'
import { toSegments, type RenderContext } from '#base/rich-text/to-html.ts'
import { Html } from '#base/web/html.tsx'
import { usePostTools } from '#base/editor/post-tools.ts'
import css from '#assistant/web/panel.module.css'

type AnswerProps = { doc: Doc; isComing: boolean; leave: () => void }

/** An answer, block by block: only its last block is rendered again while it grows, so that a selection in earlier ones stays. */
export function Answer({ doc, isComing, leave }: AnswerProps) {
  const box = useRef<HTMLDivElement>(null)
  usePostTools(box, isComing ? null : doc)

  function follow({ target }: MouseEvent): void {
    if (target instanceof Element && target.closest('a[href^="/"]')) leave()
  }

  return (
    <div ref={box} className={`prose ${css.answer}`} data-ai-generated onClickCapture={follow}>
      {doc.content.map((block, index) =>
        block.type === 'image' ? (
          <ImageView key={index} src={srcOf(block.attrs.file)} alt={block.attrs.alt} />
        ) : (
          <BlockHtml key={index} json={JSON.stringify(block)} />
        ),
      )}
    </div>
  )
}

const BlockHtml = memo(function BlockHtml({ json }: { json: string }) {
  const block: Block = JSON.parse(json)
  return toSegments({ type: 'doc', content: [block] }, beside).map(({ html }, index) => <Html key={index} html={html} />)
})

// The document only contains pictures its reader may see.
const beside: RenderContext = {
  picture: ({ file, width, height }) => ({ src: srcOf(file), width, height }),
  mention: () => null,
}

function srcOf(file: string): string {
  return `/file/${file}`
}
