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

/** Code as it is coloured: plain text, and pieces of a kind, such as `hljs-keyword`, which may hold others. */
export type Coloured = string | { kind: string; content: Coloured[] }

const known = { bash, cpp, csharp, css, go, java, javascript, perl, python, ruby, xml }
const grammars = createLowlight({ ...known, c, json, php, rust, sql, typescript, yaml })
const longest = 20_000

/** Null where there is nothing to colour, or too much of it. */
export function coloured(language: string, code: string): Coloured[] | null {
  const grammar = grammarOf(language)
  return grammar && code.length <= longest ? ours(grammars.highlight(grammar, code).children) : null
}

// The grammars know other names of their languages, such as `ts` and `sh`.
function grammarOf(language: string): string | null {
  const name = language.toLowerCase()
  return codeLanguages[codeLanguageOf(language)].grammar ?? (grammars.registered(name) ? name : null)
}

type Theirs = ReturnType<typeof grammars.highlight>['children']

function ours(nodes: Theirs): Coloured[] {
  return nodes.flatMap((node): Coloured[] => {
    if (node.type === 'text') return [node.value]
    if (node.type !== 'element') return []
    const names = node.properties['className']
    const safe = (Array.isArray(names) ? names : []).map(String).filter((name) => /^[\w-]+$/.test(name))
    return [{ kind: safe.join(' '), content: ours(node.children) }]
  })
}
