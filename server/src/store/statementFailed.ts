/** What an engine says of a failed statement; both engines use PostgreSQL's own fields. */
export interface DatabaseFault {
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  readonly constraint?: string | undefined;
}

/**
 * A statement that the database rejected. Messages of other classes than 42 (names, syntax) and 23 (constraints)
 * may quote the values that were sent, so those are left out.
 */
export class StatementFailed extends Error {
  override readonly name = 'StatementFailed';
  readonly statement: string;
  /** SQLSTATE; empty when the database gave none. */
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
