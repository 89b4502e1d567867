import { createLowlight } from 'lowlight'
import bash from 'highlight.js/lib/languages/bash'
import cpp from 'highlight.js/lib/languages/cpp'
import csharp from 'highlight.js/lib/languages/csharp'
import css from 'highlight.js/lib/languages/css'
import go from 'highlight.js/lib/languages/go'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import perl from 'highlight.js/lib/languages/perl'
import python from 'highlight.js/lib/languages/python'
import ruby from 'highlight.js/lib/languages/ruby'
import xml from 'highlight.js/lib/languages/xml'
import { codeLanguages, type CodeLanguage } from '#base/rich-text/code-language.ts'

/** Code as it is coloured: plain text, and pieces of a kind, such as `hljs-keyword`, which may hold others. */
export type Coloured = string | { kind: string; content: Coloured[] }

const grammars = createLowlight({ bash, cpp, csharp, css, go, java, javascript, perl, python, ruby, xml })
const longest = 20_000

/** Null where there is nothing to colour, or too much of it. */
export function coloured(language: CodeLanguage, code: string): Coloured[] | null {
  const { grammar } = codeLanguages[language]
  return grammar && code.length <= longest ? ours(grammars.highlight(grammar, code).children) : null
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
