import { JsonReporter } from 'vitest/node';

/** Vitest's JSON report with `unhandledErrors`: errors outside of every test, which its own report omits. */
export default class extends JsonReporter {
  #unhandled = [];

  onTestRunEnd(files, errors) {
    this.#unhandled = errors.map(({ message }) => message);
    return super.onTestRunEnd(files, errors);
  }

  writeReport(report) {
    const withErrors = { ...JSON.parse(report), unhandledErrors: this.#unhandled };
    return super.writeReport(JSON.stringify(withErrors));
  }
}
