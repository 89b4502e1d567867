import core from 'highlight.js/lib/core'
import type { Emitter, HLJSOptions, LanguageFn } from 'highlight.js'

/** Text, or a part of the code with the classes of its kind. */
export type HighlightNode = string | { classes: string[]; children: HighlightNode[] }

/**
 * highlight.js with these grammars. A package that makes nodes of its results exists, but its entry loads every grammar there is, which on
 * a server takes several megabytes.
 */
export function highlighterOf(grammars: Readonly<Record<string, LanguageFn>>) {
  const instance = core.newInstance()
  instance.configure({ __emitter: NodeEmitter })
  for (const [name, grammar] of Object.entries(grammars)) instance.registerLanguage(name, grammar)
  return {
    isKnown: (name: string) => instance.getLanguage(name) !== undefined,
    highlight(language: string, code: string): HighlightNode[] {
      const { errorRaised, _emitter: emitter } = instance.highlight(code, { language, ignoreIllegals: true })
      if (errorRaised) throw errorRaised
      return (emitter as NodeEmitter).nodes
    },
  }
}

/** Receives the scopes and texts that highlight.js finds, in order. */
class NodeEmitter implements Emitter {
  readonly nodes: HighlightNode[] = []
  readonly #open: HighlightNode[][] = [this.nodes]
  readonly #prefix: string

  constructor({ classPrefix }: HLJSOptions) {
    this.#prefix = classPrefix
  }

  addText(text: string): void {
    const [here, last] = [this.#here(), this.#here().at(-1)]
    if (typeof last === 'string') here[here.length - 1] = last + text
    else if (text !== '') here.push(text)
  }

  startScope(scope: string): void {
    this.openNode(scope)
  }

  endScope(): void {
    this.closeNode()
  }

  // The further names of a scope such as `title.function` end in underscores, as in the styles of highlight.js.
  openNode(scope: string): void {
    const children: HighlightNode[] = []
    const classes = scope.split('.').map((name, index) => (index === 0 ? this.#prefix + name : name + '_'.repeat(index)))
    this.#here().push({ classes, children })
    this.#open.push(children)
  }

  closeNode(): void {
    this.#open.pop()
  }

  __addSublanguage({ nodes }: NodeEmitter, name: string): void {
    if (name) this.#here().push({ classes: [name], children: nodes })
    else this.#here().push(...nodes)
  }

  finalize(): void {}

  toHTML(): string {
    return ''
  }

  #here(): HighlightNode[] {
    return this.#open.at(-1) ?? this.nodes
  }
}
