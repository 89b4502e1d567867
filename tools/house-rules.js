import { posix } from 'node:path'

/** Functions and properties that only certain files may use, each with the alternative for all others. */
const restrictions = [
  {
    actions: ['fetch', 'XMLHttpRequest', 'EventSource', 'WebSocket', 'navigator.sendBeacon'],
    packages: /^(node:)?https?2?$|^(undici|axios|got|node-fetch)$/,
    places: [
      'base/server/http/http.ts',
      'base/web/send.ts',
      'base/web/send-file.ts',
      'base/web/live.ts',
      'base/server/outbound/safe-fetch.ts',
      // The forum's own address, as its visitors reach it.
      'base/server/outbound/as-visitor.ts',
      // The operator's own store, which may be in the local network.
      'features/foundation/file/server/s3-storage.ts',
      'base/testing/forums.ts',
      'base/testing/second-server.ts',
      'base/testing/fake-server.ts',
      'base/testing/small-proxy.ts',
    ],
    instead: 'The browser calls through base/web/call.ts, and the server reaches out through base/server/outbound/safe-fetch.ts.',
  },
  {
    actions: ['Math.random'],
    places: ['base/random-digits.ts'],
    instead: 'Use node:crypto for secrets, or base/random-digits.ts where guessing does no harm.',
  },
  {
    actions: [
      '.innerHTML',
      '.outerHTML',
      '.insertAdjacentHTML',
      '.srcdoc',
      'document.write',
      'trustedTypes.createPolicy',
      '<dangerouslySetInnerHTML>',
    ],
    places: ['base/web/html.tsx'],
    instead: 'Only base/web/html.tsx puts HTML on a page.',
  },
  { actions: ['sql.raw', 'sql.lit'], places: [], instead: 'Give the value as a parameter, or name it with sql.ref, sql.table or sql.id.' },
]

/** Enforces the list above. */
const inItsPlace = {
  meta: { type: 'problem' },
  create(context) {
    const file = pathOf(context)
    const away = restrictions.filter(({ places }) => !places.includes(file))
    function judge(node, action) {
      const rule = away.find(({ actions }) => actions.includes(action))
      if (rule) context.report({ node, message: `${action} is kept in its place. ${rule.instead}` })
    }
    function judgePackage(node, name, isType) {
      const rule = isType ? undefined : away.find(({ packages }) => packages?.test(name))
      if (rule) context.report({ node, message: `${name} is kept in its place. ${rule.instead}` })
    }
    return {
      'Program:exit': () => globalsIn(context).forEach((use) => judge(use.identifier, use.identifier.name)),
      MemberExpression: (node) => {
        const name = node.computed ? node.property.value : node.property.name
        judge(node, `.${name}`)
        judge(node, isGlobalObject(node.object) ? name : `${endOf(node.object)}.${name}`)
      },
      JSXAttribute: (node) => judge(node, `<${node.name.name}>`),
      ImportDeclaration: (node) => judgePackage(node, node.source.value, node.importKind === 'type'),
      ImportExpression: (node) => judgePackage(node, node.source.value, false),
    }
  },
}

function globalsIn({ sourceCode }) {
  const { through, variables } = sourceCode.scopeManager.globalScope
  return [...through, ...variables.filter(({ defs }) => defs.length === 0).flatMap(({ references }) => references)]
}

function isGlobalObject(node) {
  return node.type === 'Identifier' && ['globalThis', 'window', 'self', 'global'].includes(node.name)
}

function endOf(node) {
  return node.type === 'MemberExpression' ? node.property.name : node.name
}

const breakpoints = new Set(['base', 'xs', 'sm', 'md', 'lg', 'xl'])
const breakpointKit = new Set(['AppShell', 'Grid', 'SimpleGrid', 'Flex'])

/** Props by breakpoint make the kit insert style tags, which the content security policy refuses. */
const noBreakpointProps = {
  meta: { type: 'problem' },
  create: (context) => ({
    JSXAttribute(node) {
      const value = node.value?.expression
      if (value?.type !== 'ObjectExpression' || !value.properties.some((property) => breakpoints.has(property.key?.name))) return
      context.report({ node, message: `${node.name.name} by breakpoint inserts a style tag, which our policy refuses. Use a CSS module.` })
    },
    ImportSpecifier(node) {
      if (node.parent.source.value !== '@mantine/core' || !breakpointKit.has(node.imported.name)) return
      context.report({ node, message: `${node.imported.name} inserts style tags, which our policy refuses. Use a CSS module.` })
    },
  }),
}

/** A file with nothing but re-exports hides the location of code. */
const noBarrel = {
  meta: { type: 'problem' },
  create: (context) => ({
    Program(node) {
      const reexports = node.body.filter(
        (one) => one.type === 'ExportAllDeclaration' || (one.type === 'ExportNamedDeclaration' && one.source),
      )
      if (reexports.length > 0 && reexports.length === node.body.length && !isPublicApi(pathOf(context))) {
        context.report({ node, message: 'This file only re-exports what others export. Import from where it is.' })
      }
    },
    ExportSpecifier(node) {
      if (node.parent.source && node.local.name !== node.exported.name)
        context.report({ node, message: 'A name is the same everywhere. Give it this name where it is declared.' })
    },
  }),
}

/** Whether a file is what other features import of one: `features/posts/post/server/post.ts`. */
function isPublicApi(path) {
  return /^features\/[\w-]+\/([\w-]+)\/(server|web|admin)\/\1\.tsx?$/.test(path)
}

/** Concatenated text is how SQL injection happens. Constants of the source are allowed: some statements take no parameters. */
const noBuiltSql = {
  meta: { type: 'problem' },
  create: (context) => ({
    'CallExpression[callee.property.name="query"]'(node) {
      const [text] = node.arguments
      const parts = text?.type === 'TemplateLiteral' ? text.expressions : []
      if (
        text?.type === 'BinaryExpression' ||
        parts.some((part) => !isEscaped(context.sourceCode.getText(part)) && !isFixed(context.sourceCode.getScope(node), part))
      )
        context.report({ node, message: 'SQL is not put together from text. Use Kysely, or $1 and its values.' })
    },
  }),
}

function isEscaped(text) {
  return /\bescape(Identifier|Literal)\b/.test(text)
}

function isFixed(scope, node) {
  if (node.type !== 'Identifier') return false
  const variable = scope.set.get(node.name)
  if (!variable) return scope.upper !== null && isFixed(scope.upper, node)
  const [definition] = variable.defs
  if (definition?.type === 'ImportBinding') return true
  return definition?.parent?.kind === 'const' && definition.node.init?.type === 'Literal'
}

const inOneArray = { in: `'=', anyOf(list)`, 'not in': `'<>', allOf(list)` }

/** A written-out list makes a different statement for each length, and each is planned. */
const arrayParameter = {
  meta: { type: 'problem' },
  create: (context) => ({
    CallExpression(node) {
      const [first, operator, list] = node.arguments
      const instead = inOneArray[operator?.value]
      if (instead && list && !isLiteralList(list) && !isSubquery(context, list))
        context.report({
          node,
          message: `Each length of this list is a statement to be planned. Use ${instead} of base/server/database/database.ts.`,
        })
      if (isJoin(node) && node.arguments.length === 1 && !isLiteralList(first))
        context.report({
          node,
          message:
            'Each length of these values is a statement to be planned. Give them as one array: anyOf(list), or unnest(). Parts of a statement are joined with a separator.',
        })
    },
    'TaggedTemplateExpression[tag.name="sql"]'({ quasi: { quasis, expressions } }) {
      for (const [at, part] of expressions.entries())
        if (isJoin(part) && part.arguments.length > 1 && !isLiteralList(part.arguments[0]) && /\bin\s*\($/i.test(quasis[at].value.raw))
          context.report({
            node: part,
            message: 'Each length of this list is a statement to be planned. Use anyOf(list) of base/server/database/database.ts.',
          })
    },
  }),
}

function isJoin(node) {
  return node.type === 'CallExpression' && node.callee.object?.name === 'sql' && node.callee.property?.name === 'join'
}

function isLiteralList(node) {
  const list = node?.type === 'TSAsExpression' ? node.expression : node
  return list?.type === 'ArrayExpression' && list.elements.every((one) => one?.type !== 'SpreadElement')
}

function isSubquery({ sourceCode }, node) {
  if (['ArrowFunctionExpression', 'FunctionExpression', 'TaggedTemplateExpression'].includes(node.type)) return true
  return node.type === 'CallExpression' && /\bselectFrom\(/.test(sourceCode.getText(node))
}

function pathOf({ cwd, filename }) {
  return posix.relative(cwd.replaceAll('\\', '/'), filename.replaceAll('\\', '/'))
}

export const houseRules = {
  'in-its-place': inItsPlace,
  'no-breakpoint-props': noBreakpointProps,
  'no-barrel': noBarrel,
  'no-built-sql': noBuiltSql,
  'array-parameter': arrayParameter,
}
