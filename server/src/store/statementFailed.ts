/** An engine's report of a failed statement; both engines use PostgreSQL's field names. */
export interface DatabaseFault {
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  readonly constraint?: string | undefined;
}

/**
 * A statement that the database rejected. Only messages of class 42 (names, syntax) and 23 (constraints) are included,
 * because others may quote the values that were sent.
 */
export class StatementFailed extends Error {
  override readonly name = 'StatementFailed';
  readonly statement: string;
  /** SQLSTATE; empty if the database returned none. */
  readonly code: string;
  readonly constraint: string | undefined;

  constructor(statement: string, fault: DatabaseFault) {
    const code = fault.code ?? '';
    const quotable = code.startsWith('42') || code.startsWith('23');
    const reason = quotable && fault.message ? `: ${fault.message}` : '';
    super(`statement ${statement} failed with SQLSTATE ${code || 'unknown'}${reason}`);
    this.statement = statement;
    this.code = code;
    this.constraint = fault.constraint;
  }
}
