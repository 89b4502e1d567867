export { checkImport, usualMapping } from '#importer/server/check.ts'
export { checkText } from '#importer/server/check/text.ts'
export { saveCheck } from '#importer/server/list.ts'
export { mappingSchema, type Mapping } from '#importer/server/mapping.ts'
export { mappingFaults } from '#importer/server/mapping-faults.ts'
export { withOwner } from '#importer/server/owner.ts'
export { newAddressOf } from '#importer/server/old-address.ts'
export { importerOf, sourcePassword, type SourceOptions } from '#importer/server/programs.ts'
export { keptTables, type KeptTable, type StoredForm } from '#importer/server/source-same.ts'
export { kinds, type Kind, type SourceBody, type SourceRows } from '#importer/server/source.ts'
export { postId } from '#importer/server/teahouse/addresses.ts'
export { linesOf } from '#importer/server/teahouse/lines.ts'
export {
  fileNameOf,
  filesFolder,
  formatVersion,
  endSchema,
  lineOf,
  manifestSchema,
  partSchemas,
  rowSchemas,
  secretNames,
  type Manifest,
  type Row,
  type SecretName,
} from '#importer/server/teahouse/format.ts'
export { runImport } from '#importer/server/run.ts'
export { importSummary } from '#importer/server/summary.ts'
export { undoImport } from '#importer/server/undo.ts'
export type { Reader } from '#importer/server/source.ts'
