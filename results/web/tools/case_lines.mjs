/**
 * An ESLint rule for files of tests: functions have no more lines than its option says, but for a function that is given
 * to describe(), which only holds test cases and the functions around them.
 */
export const case_lines = {
  meta: {
    type: "suggestion",
    schema: [{ type: "integer", minimum: 1 }],
    messages: { long: "This function has {{lines}} lines, the limit is {{most}}." },
  },
  create(context) {
    const [most] = context.options;
    const describes = ({ parent }) => parent.type === "CallExpression" && parent.callee.name === "describe";
    const judge = (node) => {
      const lines = node.loc.end.line - node.loc.start.line + 1;
      if (lines > most && !describes(node)) context.report({ node, messageId: "long", data: { lines, most } });
    };
    return { FunctionDeclaration: judge, FunctionExpression: judge, ArrowFunctionExpression: judge };
  },
};
