import { GRADES, type Grade, LABELS, type Label } from '../../domain/risk/graph.ts';

/** Label and grade of a node as one small number. */
export const KINDS = LABELS.length * GRADES.length;

export function kindOf(label: Label, grade: Grade): number {
  return LABELS.indexOf(label) * GRADES.length + GRADES.indexOf(grade);
}

export function labelOfKind(kind: number): Label {
  return LABELS[Math.floor(kind / GRADES.length)]!;
}

export function gradeOfKind(kind: number): Grade {
  return GRADES[kind % GRADES.length]!;
}
