import bash from 'highlight.js/lib/languages/bash'
import c from 'highlight.js/lib/languages/c'
import cpp from 'highlight.js/lib/languages/cpp'
import csharp from 'highlight.js/lib/languages/csharp'
import css from 'highlight.js/lib/languages/css'
import go from 'highlight.js/lib/languages/go'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import perl from 'highlight.js/lib/languages/perl'
import php from 'highlight.js/lib/languages/php'
import python from 'highlight.js/lib/languages/python'
import ruby from 'highlight.js/lib/languages/ruby'
import rust from 'highlight.js/lib/languages/rust'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'
import { codeLanguageOf, codeLanguages } from '#base/rich-text/code-language.ts'
import { highlighterOf, type HighlightNode } from '#base/rich-text/highlight.ts'

/** Highlighted code: plain text, and spans of a kind, such as `hljs-keyword`, which may be nested. */
export type HighlightedCode = string | { kind: string; content: HighlightedCode[] }

const namedLanguages = { bash, cpp, csharp, css, go, java, javascript, perl, python, ruby, xml }
const grammars = highlighterOf({ ...namedLanguages, c, json, php, rust, sql, typescript, yaml })

/** The remaining highlighting budget of a page. */
export type HighlightBudget = { left: number }

export function newBudget(): HighlightBudget {
  return { left: 12_000 }
}

/** Null for an unknown language, or too much code. */
export function coloured(language: string, code: string, room = newBudget()): HighlightedCode[] | null {
  const grammar = grammarOf(language)
  if (!grammar) return null
  const cost = costOf(code)
  if (cost > room.left) return null
  room.left -= cost
  return convert(grammars.highlight(grammar, code), 0)
}

const typicalRun = 200

// Some grammars rescan a run of words or quotation marks from each of its characters.
function costOf(code: string): number {
  let cost = 0
  for (const [run] of code.matchAll(/[\w\s$"']+|[^\w\s$"']+/g)) cost += run.length * Math.max(1, run.length / typicalRun)
  return cost
}

// The grammars know further names, such as `ts` and `sh`.
function grammarOf(language: string): string | null {
  const name = language.toLowerCase()
  return codeLanguages[codeLanguageOf(language)].grammar ?? (grammars.isKnown(name) ? name : null)
}

const maxDepth = 20

function convert(nodes: readonly HighlightNode[], depth: number): HighlightedCode[] {
  return nodes.map((node): HighlightedCode => {
    if (typeof node === 'string') return node
    if (depth === maxDepth) return textIn(node.children)
    const safe = node.classes.filter((name) => /^[\w-]+$/.test(name))
    return { kind: safe.join(' '), content: convert(node.children, depth + 1) }
  })
}

// Not recursive, because some grammars nest with every character.
function textIn(nodes: readonly HighlightNode[]): string {
  const texts: string[] = []
  const left = nodes.toReversed()
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (typeof node === 'string') texts.push(node)
    else left.push(...node.children.toReversed())
  }
  return texts.join('')
}
