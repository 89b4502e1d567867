/** A setting that cannot be used, with the rule as message, which follows the setting's name and value. */
export class InvalidValue extends Error {
  override name = 'InvalidValue'
}
