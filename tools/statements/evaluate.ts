import { sql } from 'kysely'
import * as ast from 'typescript/unstable/ast'
import { callOf } from './calls.ts'
import { closure } from './functions.ts'
import { list, member } from './members.ts'
import { asGiven, valueOfName } from './names.ts'
import { operation } from './operations.ts'
import type { Env, Run } from './run.ts'
import { isTrue } from './truth.ts'
import { builder, isChoice, NotComposable, expanded, settled, settledNull, resolved, Unknown, unknownOf } from './values.ts'

export function evaluate(run: Run, node: ast.Expression, env: Env | null): unknown {
  if (
    ast.isParenthesizedExpression(node) ||
    ast.isAsExpression(node) ||
    ast.isSatisfiesExpression(node) ||
    ast.isNonNullExpression(node) ||
    ast.isAwaitExpression(node)
  )
    return evaluate(run, node.expression, env)
  if (ast.isIdentifier(node)) return valueOfName(run, node, env)
  if (ast.isStringLiteral(node) || ast.isNoSubstitutionTemplateLiteral(node)) return node.text
  if (ast.isNumericLiteral(node)) return Number(node.text)
  if (ast.isTaggedTemplateExpression(node)) return tagged(run, node, env)
  if (ast.isTemplateExpression(node)) return text(run, node, env)
  if (ast.isArrowFunction(node) || ast.isFunctionExpression(node)) return closure(run, node, env)
  if (ast.isCallExpression(node)) return callOf(run, node, env)
  if (ast.isPropertyAccessExpression(node)) return property(run, node, env)
  if (ast.isElementAccessExpression(node)) return element(run, node, env)
  if (ast.isConditionalExpression(node))
    return evaluate(run, isTrue(run, evaluate(run, node.condition, env)) ? node.whenTrue : node.whenFalse, env)
  if (ast.isBinaryExpression(node) || ast.isPrefixUnaryExpression(node)) return operation(run, node, env)
  if (ast.isObjectLiteralExpression(node)) return object(run, node, env)
  if (ast.isArrayLiteralExpression(node)) return list(run, node.elements, env)
  if (node.kind === ast.SyntaxKind.TrueKeyword) return true
  if (node.kind === ast.SyntaxKind.FalseKeyword) return false
  if (node.kind === ast.SyntaxKind.NullKeyword) return null
  return unknownOf(run.source.typeOf(node), node)
}

function tagged(run: Run, node: ast.TaggedTemplateExpression, env: Env | null): unknown {
  const { template } = node
  if (evaluate(run, node.tag, env) !== sql) return unknownOf(run.source.typeOf(node), node)
  run.met.add(node)
  if (!ast.isTemplateExpression(template)) return sql(stringsOf([template.text]))
  const strings = [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)]
  return sql(stringsOf(strings), ...template.templateSpans.map(({ expression }) => part(run, expression, env)))
}

function stringsOf(texts: string[]): TemplateStringsArray {
  return Object.assign(texts, { raw: texts })
}

/** SQL stays SQL, anything else becomes a parameter. */
function part(run: Run, expression: ast.Expression, env: Env | null): unknown {
  const value = resolved(evaluate(run, expression, env))
  if (!(value instanceof Unknown) || !run.source.carriesSql(value.type)) return value
  const result = asGiven(run, value)
  if (result instanceof Unknown && run.source.carriesSql(result.type))
    throw new NotComposable(`${expression.getText()} at ${run.source.placeOf(expression)}`)
  return result
}

function text(run: Run, node: ast.TemplateExpression, env: Env | null): unknown {
  const parts = node.templateSpans.map(({ expression, literal }) => {
    const value = evaluate(run, expression, env)
    const known = value instanceof Unknown && isChoice(value.type) ? settled(run.paths, value) : value
    return { known, literal: literal.text }
  })
  if (parts.some(({ known }) => known instanceof Unknown)) return new Unknown(run.source.typeOf(node), node)
  return node.head.text + parts.map(({ known, literal }) => `${String(known)}${literal}`).join('')
}

function property(run: Run, node: ast.PropertyAccessExpression, env: Env | null): unknown {
  const { expression, name } = node
  if (ast.isIdentifier(expression)) {
    const declared = run.source.declarationOf(expression)
    if (declared && ast.isSourceFile(declared)) return valueOfName(run, name, null)
  }
  const whole = evaluate(run, expression, env)
  if (whole === builder && name.text === 'isTransaction') return unknownOf(run.source.typeOf(node), node)
  const value = node.questionDotToken ? settledNull(run.paths, whole) : whole
  return member(run, node, value, name.text)
}

function element(run: Run, node: ast.ElementAccessExpression, env: Env | null): unknown {
  const target = settledNull(run.paths, evaluate(run, node.expression, env))
  const value =
    target instanceof Unknown && target.type && run.source.checker.isArrayLikeType(target.type) ? expanded(run.source, target) : target
  const key = settled(run.paths, evaluate(run, node.argumentExpression, env))
  if (value instanceof Unknown || key instanceof Unknown) return unknownOf(run.source.typeOf(node), node)
  return Reflect.get(Object(value), key as PropertyKey)
}

function object(run: Run, node: ast.ObjectLiteralExpression, env: Env | null): unknown {
  const result: Record<string, unknown> = {}
  for (const one of node.properties) {
    if (ast.isSpreadAssignment(one)) {
      const spread = expanded(run.source, settled(run.paths, evaluate(run, one.expression, env)))
      if (spread instanceof Unknown) continue
      Object.assign(result, spread)
    } else if (ast.isShorthandPropertyAssignment(one)) result[one.name.getText()] = valueOfName(run, one.name, env)
    else if (ast.isMethodDeclaration(one)) result[one.name.getText()] = closure(run, one, env)
    else if (ast.isPropertyAssignment(one)) result[keyOf(run, one.name, env)] = evaluate(run, one.initializer, env)
  }
  return result
}

function keyOf(run: Run, name: ast.PropertyName, env: Env | null): string {
  if (ast.isStringLiteral(name) || ast.isNumericLiteral(name) || ast.isIdentifier(name)) return name.text
  if (!ast.isComputedPropertyName(name)) throw new NotComposable(`a key at ${run.source.placeOf(name)}`)
  const key = settled(run.paths, asGiven(run, evaluate(run, name.expression, env)))
  if (key instanceof Unknown) throw new NotComposable(`a key at ${run.source.placeOf(name)}`)
  return String(key)
}
