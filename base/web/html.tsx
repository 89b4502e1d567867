import { createElement, useMemo, type HTMLAttributes } from 'react'

type Policy = { createHTML(html: string): unknown }
type Factory = { createPolicy(name: string, rules: { createHTML(html: string): string }): Policy }

const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes
const policy: Policy | undefined = factory?.createPolicy('teahouse-html', { createHTML: (html) => html })

/** Puts HTML that our own serialiser made on the page. Nothing else may. */
export function Html({ html, ...attributes }: { html: string } & HTMLAttributes<HTMLDivElement>) {
  // The same object for the same text: another would have its content, and what the reader selected there, made anew.
  const trusted = useMemo(() => ({ __html: (policy ? policy.createHTML(html) : html) as string }), [html])
  return createElement('div', { ...attributes, dangerouslySetInnerHTML: trusted })
}
