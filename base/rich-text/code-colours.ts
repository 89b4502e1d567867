import { createLowlight } from 'lowlight'
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

/** Highlighted code: plain text, and spans of a kind, such as `hljs-keyword`, which may be nested. */
export type HighlightedCode = string | { kind: string; content: HighlightedCode[] }

const namedLanguages = { bash, cpp, csharp, css, go, java, javascript, perl, python, ruby, xml }
const grammars = createLowlight({ ...namedLanguages, c, json, php, rust, sql, typescript, yaml })

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
  return convert(grammars.highlight(grammar, code).children, 0)
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
  return codeLanguages[codeLanguageOf(language)].grammar ?? (grammars.registered(name) ? name : null)
}

type LowlightNodes = ReturnType<typeof grammars.highlight>['children']

const maxDepth = 20

function convert(nodes: LowlightNodes, depth: number): HighlightedCode[] {
  return nodes.flatMap((node): HighlightedCode[] => {
    if (node.type === 'text') return [node.value]
    if (node.type !== 'element') return []
    if (depth === maxDepth) return [textIn(node.children)]
    const names = node.properties['className']
    const safe = (Array.isArray(names) ? names : []).map(String).filter((name) => /^[\w-]+$/.test(name))
    return [{ kind: safe.join(' '), content: convert(node.children, depth + 1) }]
  })
}

// Recursive, because some grammars nest with every character.
function textIn(nodes: LowlightNodes): string {
  const texts: string[] = []
  const left = nodes.toReversed()
  for (let node = left.pop(); node; node = left.pop()) {
    if (node.type === 'text') texts.push(node.value)
    else if (node.type === 'element') left.push(...node.children.toReversed())
  }
  return texts.join('')
}
