import { createElement, Fragment, useEffect, useMemo, useRef, type HTMLAttributes, type ReactNode } from 'react'
import type { Lock } from '#base/rich-text/document.ts'
import { useWords } from '#base/web/words.tsx'

type Policy = { createHTML(html: string): unknown; createScriptURL(address: string): unknown }
type Rules = { createHTML(html: string): string; createScriptURL(): string }
type Factory = { createPolicy(name: string, rules: Rules): Policy }

const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes
const policy: Policy | undefined = factory?.createPolicy('teahouse-html', { createHTML: (html) => html, createScriptURL: () => '/push.js' })

/** The one script that browsers run beside pages: it shows what is pushed. */
export const pushWorker = (policy?.createScriptURL('') ?? '/push.js') as string

/** Puts HTML that our own serialiser made on the page. Nothing else may. */
export function Html({ html, ...attributes }: { html: string } & HTMLAttributes<HTMLDivElement>) {
  // The same object for the same text: another would have its content, and what the reader selected there, made anew.
  const trusted = useMemo(() => ({ __html: (policy ? policy.createHTML(html) : html) as string }), [html])
  return createElement('div', { ...attributes, dangerouslySetInnerHTML: trusted })
}

/** A whole page that our own program made, such as an e-mail, in a frame in which nothing runs and nothing leads anywhere. */
export function HtmlFrame({ html, title, className }: { html: string; title: string; className?: string | undefined }) {
  const frame = useRef<HTMLIFrameElement>(null)
  useEffect(() => {
    if (frame.current) frame.current.srcdoc = (policy ? policy.createHTML(html) : html) as string
  }, [html])
  return <iframe ref={frame} sandbox="" title={title} className={className} />
}

/** A piece of a post: its HTML, or what is told of a part that is hidden there. */
export type Piece<Part = { id: string; lock: Lock }> = { html: string; hidden?: Part | undefined }
type SegmentsProps<Part> = {
  segments: readonly Piece<Part>[]
  /** What stands for a part that is hidden there; a line that says so where it cannot be opened. */
  renderPart?: (part: Part) => ReactNode
}

/** A post, piece by piece. */
export function Segments<Part extends { id: string; lock: Lock }>({
  segments,
  renderPart = ({ lock }) => <Shut lock={lock} />,
}: SegmentsProps<Part>) {
  return segments.map(({ html, hidden }, index) =>
    hidden ? <Fragment key={hidden.id}>{renderPart(hidden)}</Fragment> : <Html key={index} html={html} className="prose" />,
  )
}

function Shut({ lock }: { lock: Lock }) {
  const words = useWords('site')
  return <p className="note">{words('hiddenBy', { lock })}</p>
}
