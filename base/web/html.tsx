import { createElement, Fragment, useEffect, useMemo, useRef, type HTMLAttributes, type ReactNode } from 'react'
import type { Lock } from '#base/rich-text/document.ts'
import { useWords } from '#base/web/words.tsx'

type Policy = { createHTML(html: string): unknown; createScriptURL(address: string): unknown }
type Rules = { createHTML(html: string): string; createScriptURL(): string }
type Factory = { createPolicy(name: string, rules: Rules): Policy }

const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes
const policy: Policy | undefined = factory?.createPolicy('teahouse-html', { createHTML: (html) => html, createScriptURL: () => '/push.js' })

/** The service worker that shows push messages. */
export const pushWorker = (policy?.createScriptURL('') ?? '/push.js') as string

/** Renders HTML from our own serializer. Nothing else may. */
export function Html({ html, ...attributes }: { html: string } & HTMLAttributes<HTMLDivElement>) {
  // A new object would make React replace the content, and with it the reader's selection.
  const trusted = useMemo(() => ({ __html: (policy ? policy.createHTML(html) : html) as string }), [html])
  return createElement('div', { ...attributes, dangerouslySetInnerHTML: trusted })
}

/** A whole document made by this program, such as an e-mail, in a sandboxed frame without scripts and navigation. */
export function HtmlFrame({ html, title, className }: { html: string; title: string; className?: string | undefined }) {
  const frame = useRef<HTMLIFrameElement>(null)
  useEffect(() => {
    if (frame.current) frame.current.srcdoc = (policy ? policy.createHTML(html) : html) as string
  }, [html])
  return <iframe ref={frame} sandbox="" title={title} className={className} />
}

/** A segment of a post: its HTML, or a placeholder for a hidden part. */
export type RenderedSegment<Part = { id: string; lock: Lock }> = { html: string; hidden?: Part | undefined }
type SegmentsProps<Part> = {
  segments: readonly RenderedSegment<Part>[]
  /** Renders the placeholder of a hidden part; by default a line that says it is hidden. */
  renderHidden?: (part: Part) => ReactNode
}

/** A post, segment by segment. */
export function Segments<Part extends { id: string; lock: Lock }>({
  segments,
  renderHidden = ({ lock }) => <HiddenStub lock={lock} />,
}: SegmentsProps<Part>) {
  return segments.map(({ html, hidden }, index) =>
    hidden ? <Fragment key={hidden.id}>{renderHidden(hidden)}</Fragment> : <Html key={index} html={html} className="prose" />,
  )
}

function HiddenStub({ lock }: { lock: Lock }) {
  const words = useWords('site')
  return <p className="note">{words('hiddenBy', { lock })}</p>
}
